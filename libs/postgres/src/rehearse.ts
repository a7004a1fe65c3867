import { setTimeout as sleep } from 'node:timers/promises';
import { runner } from 'node-pg-migrate';
import type pg from 'pg';
import { type MigrateOptions, type MigrationSource, sessionOf, settingsOf } from './migrate.ts';
import { withClient } from './with-client.ts';

/** What one migration took. Times are milliseconds. */
export interface Rehearsed {
  schema: string;
  migration: string;
  ms: number;
  /** Locks on existing tables that made writers wait; AccessExclusiveLock makes readers wait too. */
  held: { table: string; lock: string; ms: number }[];
}

const LOOK_EVERY_MS = 5;
const LOCKS_THAT_STOP_WRITERS = ['ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'];

/** Runs a schema's new migrations on a copy that nobody else uses, and measures each one. */
export async function rehearse(options: MigrateOptions): Promise<Rehearsed[]> {
  const done: Rehearsed[] = [];
  for (const source of options.schema.migrations) {
    for (;;) {
      const next = await rehearseNext(options, source);
      if (next === undefined) break;
      done.push(next);
    }
  }
  return done;
}

function rehearseNext(options: MigrateOptions, source: MigrationSource): Promise<Rehearsed | undefined> {
  const { name } = options.schema;
  // Only an autovacuum can hold a lock on the copy, so no lock timeout is needed.
  const session = sessionOf(options, 0);
  return withClient(session, (dbClient) =>
    withClient(session, async (watcher) => {
      const watching = watchLocks(watcher, await pidOf(dbClient), name);
      const begun = performance.now();
      try {
        const [migrated] = await runner({ dbClient, ...settingsOf(name, source), count: 1 });
        const ms = performance.now() - begun;
        await watching.stop();
        return migrated && { schema: name, migration: migrated.name, ms, held: watching.held() };
      } finally {
        await watching.stop();
      }
    }),
  );
}

const pidOf = async (client: pg.Client): Promise<number> =>
  (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0;

/** This does not see tables that the migration creates, and nobody waits for those. */
function watchLocks(client: pg.Client, pid: number, schema: string) {
  const seen = new Map<string, { table: string; lock: string; from: number; to: number }>();
  const over = new AbortController();
  const look = async () => {
    const { rows } = await client.query<{ table: string; lock: string }>(
      `select relname as table, mode as lock from pg_locks join pg_class on pg_class.oid = relation
       where pid = $1 and granted and relkind in ('r', 'p') and relnamespace = to_regnamespace($2) and mode = any($3)`,
      [pid, schema, LOCKS_THAT_STOP_WRITERS],
    );
    const now = performance.now();
    for (const { table, lock } of rows) {
      const key = `${table} ${lock}`;
      seen.set(key, { table, lock, from: seen.get(key)?.from ?? now, to: now });
    }
  };
  const watch = async () => {
    while (!over.signal.aborted) {
      await look();
      await sleep(LOOK_EVERY_MS);
    }
  };
  const watching = watch();
  // A failure is thrown by `stop`.
  watching.catch(() => {});
  return {
    stop: async () => {
      over.abort();
      await watching;
    },
    held: () => [...seen.values()].map(({ table, lock, from, to }) => ({ table, lock, ms: to - from + LOOK_EVERY_MS })),
  };
}
