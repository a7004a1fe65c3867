import pg from 'pg';
import { createPermits } from './permits.ts';
import { tryTransaction, type Tx } from './pipelined-transaction.ts';
import { type Queries, queriesBy } from './queries.ts';
import { rethrow } from './unavailable.ts';

export type { Tx } from './pipelined-transaction.ts';
export type { Queries } from './queries.ts';
export { allOf, sql, type Sql } from './sql.ts';

export interface Database extends Queries {
  /**
   * Runs `fn` in a READ COMMITTED transaction. After a deadlock or a serialization failure `fn` runs again, three times in all, so
   * whatever `fn` does outside the database must do no harm when it is done again. The relay, for one, publishes its events again
   * then, and their consumers know an event by its id.
   */
  inTransaction<T>(fn: (tx: Tx) => Promise<T>): Promise<T>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  /** The connections' search_path, because statements name tables without a schema. */
  schema: string;
  applicationName?: string;
  max?: number;
}

const INT8 = 20;
const RETRYABLE = new Set(['40001', '40P01']);

const parserOf: (oid: number, format?: 'text' | 'binary') => (value: string) => unknown = pg.types.getTypeParser;

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? (value: string) => BigInt(value) : parserOf(oid, format),
};

export function openDatabase(options: DatabaseOptions): Database {
  const max = options.max ?? 15;
  // With as many permits as connections nobody waits in the pool's own queue, whose time limit is also that of connecting.
  const permitted = createPermits(max);
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: options.applicationName ?? options.schema,
    max,
    connectionTimeoutMillis: 2_000,
    idleTimeoutMillis: 30_000,
    maxLifetimeSeconds: 1_800,
    keepAlive: true,
    statement_timeout: 5_000,
    // A frozen server cannot enforce statement_timeout. The driver then cuts the connection, so that nothing is sent on it again.
    query_timeout: 6_000,
    lock_timeout: 2_000,
    idle_in_transaction_session_timeout: 10_000,
    options: `-c search_path=${options.schema}`,
    pipeline: true,
    types,
  });
  // The pool replaces an idle connection that breaks, and the next statement shows whether the server is there.
  pool.on('error', () => {});
  // A connection that breaks in use fails its statement as well. Without a listener the error event would end the process.
  pool.on('connect', (client) => void client.on('error', () => {}));
  return {
    ...queriesBy((query) => permitted(() => pool.query(query))),
    inTransaction: (fn) => permitted(() => inTransaction(pool, fn)).catch(rethrow),
    ping: async () => void (await permitted(() => pool.query('select 1')).catch(rethrow)),
    close: () => pool.end(),
  };
}

async function inTransaction<T>(pool: pg.Pool, fn: (tx: Tx) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await tryTransaction(pool, fn);
    } catch (error) {
      if (tries === 3 || !RETRYABLE.has((error as { code?: string }).code ?? '')) throw error;
    }
  }
}
