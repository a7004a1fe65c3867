import { createSemaphore } from '@cobro/async/semaphore.ts';
import pg from 'pg';
import { clocksAgree } from './clocks-agree.ts';
import { tryTransaction, type Tx } from './pipelined-transaction.ts';
import { type Queries, queriesBy } from './queries.ts';
import { openRenewablePool, type RenewablePool } from './renewable-pool.ts';
import { ownTransactions, shareTransactions, type Statements } from './shared-transactions.ts';
import { shownToPostgres } from './shown-to-postgres.ts';
import { inSpan, inTransactionSpan } from './spans.ts';
import { type Sql, sql, statementName } from './sql.ts';
import { DatabaseUnavailable, isOfConnecting, rethrow } from './unavailable.ts';

export type { Tx } from './pipelined-transaction.ts';
export type { Queries } from './queries.ts';
export { allOf, ifAsked, sql, type Sql } from './sql.ts';

export interface Database extends Queries {
  /**
   * Runs `fn` in a READ COMMITTED transaction. After a deadlock, a serialization failure, the refusal of a read-only session, or a
   * failure to connect while another connection is free, `fn` runs again, three times in all. So its effects outside the database
   * must be safe to repeat.
   */
  inTransaction<T>(fn: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Runs the statements in a transaction that concurrent callers may share, and returns the rows of the last one. A single
   * statement that comes alone is sent without `begin` and `commit`. After a failure each caller's statements run again in their own
   * transaction. Callers with the same subject never share one, because neither would wait for the other's lock.
   */
  inSharedTransaction<Row>(subject: string, ...statements: Statements): Promise<Row[]>;
  /** The same in a transaction that nobody shares: for statements that lock rows which other subjects lock too. */
  inOwnTransaction<Row>(subject: string, ...statements: Statements): Promise<Row[]>;
  /**
   * Asks whether the server takes only reads, and whether its clock and this machine's differ. It has its own connection, so it does
   * not queue behind other work.
   * @throws DatabaseUnavailable if the server does not reply
   */
  ping(): Promise<Ping>;
  close(): Promise<void>;
}

export interface Ping {
  readOnly: boolean;
  clocksDiffer: boolean;
}

export interface DatabaseOptions {
  url: string;
  /** The connections' search_path, because statements name tables without a schema. */
  schema: string;
  applicationName?: string;
  /** Connections for work. `ping` opens one more. */
  max?: number;
  /** Milliseconds to wait for a free connection, and again for making one; 1 s and 5 s unless given. */
  connectWithinMs?: number;
  /** Milliseconds after which Postgres ends a statement; 5 s unless given. */
  statementTimeoutMs?: number;
  /** Milliseconds that a statement waits for a lock; 2 s unless a test gives more. */
  lockTimeoutMs?: number;
  /** More settings of Postgres for each connection. */
  settings?: Readonly<Record<string, string>>;
}

/** The default of `max`. */
export const POOL_CONNECTIONS = 15;
/** The one that `ping` opens. */
export const PING_CONNECTIONS = 1;

const INT8 = 20;
const READ_ONLY = '25006';
const RETRYABLE = new Set(['40001', '40P01', READ_ONLY]);

const parserOf: (oid: number, format?: 'text' | 'binary') => (value: string) => unknown = pg.types.getTypeParser;

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? (value: string) => BigInt(value) : parserOf(oid, format),
};

export function openDatabase(options: DatabaseOptions): Database {
  const max = options.max ?? POOL_CONNECTIONS;
  const statementTimeoutMs = options.statementTimeoutMs ?? 5_000;
  const settings = { ...options.settings, search_path: options.schema };
  // With fewer permits than connections nobody waits in the pool's own queue, whose time limit also bounds connecting.
  const permits = createSemaphore({
    permits: max,
    patience: { withinMs: options.connectWithinMs ?? 1_000, refusal: noConnection },
  });
  const pool = openRenewablePool({
    connectionString: shownToPostgres(options.url),
    application_name: options.applicationName ?? options.schema,
    max: max + PING_CONNECTIONS,
    // On a busy machine a new pod's first connection takes over two seconds, and TCP resends a lost packet after one and three.
    connectionTimeoutMillis: options.connectWithinMs ?? 5_000,
    idleTimeoutMillis: 30_000,
    maxLifetimeSeconds: 1_800,
    keepAlive: true,
    statement_timeout: statementTimeoutMs,
    // A frozen server cannot enforce statement_timeout. The driver then cuts the connection, so that nothing is sent on it again.
    query_timeout: statementTimeoutMs + 1_000,
    lock_timeout: options.lockTimeoutMs ?? 2_000,
    idle_in_transaction_session_timeout: 10_000,
    options: Object.entries(settings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    pipeline: true,
    types,
  });
  const run = (asked: pg.QueryConfig) => permits.run(() => retrying(pool, (used) => used.query(asked)));
  const inTransaction: Database['inTransaction'] = (fn) =>
    permits.run(() => retrying(pool, (used) => tryTransaction(used, fn))).catch(rethrow);
  const inSharedTransaction = shareTransactions(inTransaction, queriesBy(run).many);
  const inOwnTransaction = ownTransactions(inTransaction, queriesBy(run).many);
  let pinging: ReturnType<Database['ping']> | undefined;
  return {
    ...queriesBy(run),
    inTransaction: (fn) => inTransactionSpan(fn, inTransaction),
    inSharedTransaction: (subject, ...statements) =>
      inSpan(spanNameOf(statements), () => inSharedTransaction(subject, ...statements)),
    inOwnTransaction: (subject, ...statements) =>
      inSpan(spanNameOf(statements), () => inOwnTransaction(subject, ...statements)),
    // Concurrent pings share one reply, so that they never need a second connection.
    ping: () => (pinging ??= ping(pool).finally(() => (pinging = undefined))).catch(rethrow),
    close: () => pool.end(),
  };
}

/** For operators' commands and observing tests: waits 30 s for a connection and a minute for a statement. */
export const openPatiently = (options: DatabaseOptions): Database =>
  openDatabase({ connectWithinMs: 30_000, statementTimeoutMs: 60_000, ...options });

const noConnection = () => new DatabaseUnavailable('pool', new Error('no connection came free in time'));

const codeOf = (error: unknown) => (error as { code?: string }).code ?? '';

async function ping(pool: RenewablePool): Promise<Ping> {
  const ask = (on: pg.Pool) =>
    queriesBy((asked) => on.query(asked)).one<Ping>(sql`
      select current_setting('transaction_read_only') = 'on' as "readOnly", not ${clocksAgree()} as "clocksDiffer"`);
  const used = pool.current();
  const answer = await ask(used);
  // An old session may be read-only although the database takes writes again.
  return answer.readOnly && pool.renew(used) ? ask(pool.current()) : answer;
}

const spanNameOf = (statements: Statements) => statementName((statements.at(-1) as Sql).text) ?? 'sql';

/**
 * Runs a statement or a transaction, and runs it again if nothing of it was kept. A session that was opened while the database was
 * read-only refuses writes for life, so the pool is renewed. A caller for whom the pool makes a connection waits for that one, which
 * on a busy machine may come too late although others are free by then.
 */
async function retrying<T>(pool: RenewablePool, run: (used: pg.Pool) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    const used = pool.current();
    try {
      return await run(used);
    } catch (error) {
      const code = codeOf(error);
      if (tries < 3 && isOfConnecting(error) && used.idleCount > 0) continue;
      if (tries === 3 || !RETRYABLE.has(code)) throw error;
      if (code === READ_ONLY && !pool.renew(used)) throw error;
    }
  }
}
