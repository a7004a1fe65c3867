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
  /** The role that is to own what the migrations make, where it is not the one that connects. */
  role?: string;
  waitMs?: number;
}

/**
 * Whoever asks for a table after a migration that waits for its lock waits behind it, so the migration gives up as soon as a service's
 * own statement would.
 */
const LOCK_TIMEOUT_MS = 2_000;

/**
 * Brings one schema up to date. Several processes may do so at once: one migrates, the others wait and find nothing left to do.
 */
export async function migrate(options: MigrateOptions): Promise<void> {
  for (const source of options.schema.migrations) {
    await migrateOne(options, source, Date.now() + (options.waitMs ?? 60_000));
  }
}

async function migrateOne(
  { url, role, schema }: MigrateOptions,
  source: MigrationSource,
  until: number,
): Promise<void> {
  const asRole = role === undefined ? '' : ` -c role=${role}`;
  const session = {
    connectionString: url,
    options: `-c search_path=${schema.name} -c lock_timeout=${LOCK_TIMEOUT_MS}${asRole}`,
  };
  for (;;) {
    try {
      // The library would not wait until a connection of its own is closed.
      await withClient(session, (dbClient) => runner({ dbClient, ...settingsOf(schema.name, source) }));
      return;
    } catch (error) {
      // `wait` mode deadlocks with CREATE INDEX CONCURRENTLY, so we try again ourselves.
      if (!/already running/i.test(String(error)) || Date.now() > until) throw error;
      await sleep(500);
    }
  }
}

const settingsOf = (
  schema: string,
  { dir, table }: MigrationSource,
): Omit<RunnerOption, 'dbClient' | 'databaseUrl'> => ({
  dir,
  schema,
  migrationsSchema: schema,
  migrationsTable: table,
  direction: 'up',
  checkOrder: true,
  singleTransaction: true,
  // The library's default is one lock for the whole database, so that two services starting together would refuse each other.
  lockValue: createHash('sha256').update(schema).digest().readInt32BE(0),
  log: () => {},
});
