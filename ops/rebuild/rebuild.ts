import type { Retelling } from '@cobro/events/retelling.ts';
import { type Database, openPatiently, sql, type Tx } from '@cobro/postgres/database.ts';
import { DatabaseUnavailable } from '@cobro/postgres/unavailable.ts';
import type { Note } from '@cobro/service-kit/admin-command.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { reporting } from '../../services/reporting/src/service.ts';
import { findOwner, type ProjectedTable } from './schemas.store.ts';

/** The owners that know the rows of each table. Both payments and holds know a payment. */
export type Retellings = Readonly<Record<ProjectedTable, readonly Retelling[]>>;

/**
 * What a rebuild of reporting's tables works with. The new tables are in a schema of their own, `reporting_next`; `reporting_rebuild` has
 * the notes of the work until it is finished.
 */
export interface Rebuild {
  /** Connections to the new tables, as the owner of those that serve. */
  next: Database;
  /** Connections to the tables that serve. */
  serving: Database;
  /** The owner of the schema that serves. */
  owner: string;
  url: string;
  retellings: Retellings;
  /** Shows the operator how far the work has come. */
  note: Note;
  close(): Promise<void>;
}

/** Long enough to count ten million rows on a busy server. */
const STATEMENT_TIMEOUT_MS = 30 * 60_000;

/** @param options.url of the schema's owner or of an administrator, who must be allowed to make schemas */
export async function openRebuild(options: { url: string; retellings: Retellings; note: Note }): Promise<Rebuild> {
  const { url } = options;
  const open = (schema: string, settings: Record<string, string> = {}) =>
    openPatiently({
      url,
      schema,
      applicationName: `${reporting.name}-rebuild`,
      max: 2,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      // The statements of a killed process end as well, and do not hold up the next rebuild.
      settings: { jit: 'off', client_connection_check_interval: '2s', ...settings },
    });
  const serving = open(reporting.name);
  try {
    const owner = await findOwner(serving);
    const next = open('reporting_next', { role: owner, maintenance_work_mem: '256MB' });
    return {
      ...options,
      next,
      serving,
      owner,
      close: async () => void (await Promise.all([next.close(), serving.close()])),
    };
  } catch (error) {
    await serving.close();
    throw error;
  }
}

/** More than a second, after which Postgres cancels an autovacuum in the way; less than an event or a read waits. */
const LOCK_TIMEOUT = sql`set local lock_timeout = '1500ms'`;
const TRIES = 40;

/** Runs a transaction that locks serving tables, again and again until it gets its locks, because others must not wait for long. */
export async function patiently<T>(db: Database, fn: (tx: Tx) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await db.inTransaction(async (tx) => {
        tx.send(LOCK_TIMEOUT);
        return fn(tx);
      });
    } catch (error) {
      const locked = error instanceof DatabaseUnavailable && (error.code === '55P03' || error.code === '40P01');
      if (!locked || tries === TRIES) throw error;
      await sleep(200 + Math.random() * 300);
    }
  }
}
