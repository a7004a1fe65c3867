import { type Sql, sql } from './sql.ts';

/** Longer than any reply of Postgres takes, and too short for a wrong clock to do lasting harm. */
const APART_MS = 10_000;

/**
 * True if this machine's clock and the database's are less than ten seconds apart. Otherwise one of them is wrong, and callers do
 * nothing that cannot be undone: they release no hold and charge no period.
 */
export const clocksAgree = (): Sql =>
  sql`(select abs(extract(epoch from clock_timestamp()) * 1000 - ${Date.now()}::bigint) < ${APART_MS}::int)`;
