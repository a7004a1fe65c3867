import { type Sql, sql } from './sql.ts';

/** More than any answer of Postgres takes, and less than anybody would do for good by a wrong clock. */
const APART_MS = 10_000;

/**
 * Whether this machine's clock and the database's are less than ten seconds apart, by real time. Where they are not, one of them is
 * wrong, and nothing is done that cannot be undone: no hold is let go and no period is charged before its time.
 */
export const clocksAgree = (): Sql =>
  sql`(select abs(extract(epoch from clock_timestamp()) * 1000 - ${Date.now()}::bigint) < ${APART_MS}::int)`;
