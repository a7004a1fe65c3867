import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { runner, type RunnerOption } from 'node-pg-migrate';
import { withClient } from './with-client.ts';

export interface MigrationSource {
  /** Absolute folder of .sql files. */
  dir: string;
  /** Its own table of applied migrations, so that a library's migrations and a service's do not interleave. */
  table: string;
  /** Tables whose rows a service's role may insert and read, and not change. */
  insertOnly?: readonly string[];
}

export interface Schema {
  name: string;
  migrations: MigrationSource[];
}

export interface MigrateOptions {
  url: string;
  schema: Schema;
  /** The role that owns what the migrations create, if it is not the role that connects. */
  role?: string;
  waitMs?: number;
}

/**
 * Queries queue behind a migration that waits for a table's lock. So the migration gives up at once and tries again later; requests go on
 * in between.
 */
const LOCK_TIMEOUT_MS = 50;
/** Long enough for Postgres to end an autovacuum that is in the way, which it does after a second. */
const LONG_LOCK_TIMEOUT_MS = 1_500;
const TRIES_FOR_A_LONG_ONE = 10;
const LOCK_NOT_AVAILABLE = '55P03';
const TRY_AGAIN_MS = 500;

/**
 * Brings one schema up to date. Several processes may do so at once: one migrates, the others wait and find nothing left to do.
 */
export async function migrate(options: MigrateOptions): Promise<void> {
  for (const source of options.schema.migrations) {
    await migrateOne(options, source, Date.now() + (options.waitMs ?? 60_000));
  }
}

async function migrateOne(options: MigrateOptions, source: MigrationSource, until: number): Promise<void> {
  for (let tries = 1; ; tries++) {
    const lockTimeoutMs = tries % TRIES_FOR_A_LONG_ONE === 0 ? LONG_LOCK_TIMEOUT_MS : LOCK_TIMEOUT_MS;
    try {
      // The library would open its own connection and not wait until that is closed.
      await withClient(sessionOf(options, lockTimeoutMs), (dbClient) =>
        runner({ dbClient, ...settingsOf(options.schema.name, source) }),
      );
      return;
    } catch (error) {
      // `wait` mode deadlocks with CREATE INDEX CONCURRENTLY, so we try again ourselves.
      const isBusy = /already running/i.test(String(error)) || (error as { code?: string }).code === LOCK_NOT_AVAILABLE;
      if (!isBusy || Date.now() > until) throw error;
      await sleep(TRY_AGAIN_MS);
    }
  }
}

/** How a migration connects. With a timeout of 0 it waits for locks without limit. */
export const sessionOf = ({ url, role, schema }: MigrateOptions, lockTimeoutMs: number) => ({
  connectionString: url,
  options: `-c search_path=${schema.name} -c lock_timeout=${lockTimeoutMs}${role === undefined ? '' : ` -c role=${role}`}`,
});

/** Each migration is its own transaction, so that it does not hold the locks of earlier ones. */
export const settingsOf = (
  schema: string,
  { dir, table }: MigrationSource,
): Omit<RunnerOption, 'dbClient' | 'databaseUrl'> => ({
  dir,
  schema,
  migrationsSchema: schema,
  migrationsTable: table,
  direction: 'up',
  checkOrder: true,
  singleTransaction: false,
  // The library's default is one lock for the whole database, so that two services starting together would refuse each other.
  lockValue: createHash('sha256').update(schema).digest().readInt32BE(0),
  log: () => {},
});
