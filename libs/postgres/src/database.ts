import { AsyncLocalStorage } from 'node:async_hooks';
import type { Socket } from 'node:net';
import pg from 'pg';
import { type Sql, statementName } from './sql.ts';
import { createPermits } from './permits.ts';
import { asUnavailable } from './unavailable.ts';

export { allOf, sql, type Sql } from './sql.ts';

export interface Queries {
  many<Row>(statement: Sql): Promise<Row[]>;
  /** The only row, or undefined. */
  maybe<Row>(statement: Sql): Promise<Row | undefined>;
  /** The only row; none is a bug. */
  one<Row>(statement: Sql): Promise<Row>;
  /** Number of rows that the statement touched. */
  run(statement: Sql): Promise<number>;
}

export interface Tx extends Queries {
  /** A statement whose result nobody needs: it travels with the next one, and its failure fails the transaction. */
  send(statement: Sql): void;
  /** Runs once the transaction has committed, never when it rolled back. */
  afterCommit(fn: () => void): void;
}

export interface Database extends Queries {
  /** READ COMMITTED; tried again (up to three times) on a deadlock or serialization failure, so `fn` must only touch the database. */
  inTransaction<T>(fn: (tx: Tx) => Promise<T>): Promise<T>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  /** The connection's search_path: statements name tables without a schema. */
  schema: string;
  applicationName?: string;
  max?: number;
}

const INT8 = 20;
const RETRYABLE = new Set(['40001', '40P01']);
const IN_FAILED_TRANSACTION = '25P02';

const parserOf: (oid: number, format?: 'text' | 'binary') => (value: string) => unknown = pg.types.getTypeParser;

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? (value: string) => BigInt(value) : parserOf(oid, format),
};

export function openDatabase(options: DatabaseOptions): Database {
  const max = options.max ?? 15;
  // So nobody waits in the pool's own queue, which shares its time limit with connecting.
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
    // A server that has frozen cannot keep time itself. The driver then cuts the connection, so that nothing is sent on it again.
    query_timeout: 6_000,
    lock_timeout: 2_000,
    idle_in_transaction_session_timeout: 10_000,
    options: `-c search_path=${options.schema}`,
    pipeline: true,
    types,
  });
  // An idle connection that breaks is replaced on the next checkout; the next statement tells whether the server is there.
  pool.on('error', () => {});
  // One that breaks while it is checked out fails the statement in work; unheard, the event would end the process.
  pool.on('connect', (client) => void client.on('error', () => {}));
  return {
    ...queriesBy((query) => permitted(() => pool.query(query))),
    inTransaction: (fn) => permitted(() => inTransaction(pool, fn)).catch(rethrow),
    ping: async () => void (await permitted(() => pool.query('select 1')).catch(rethrow)),
    close: () => pool.end(),
  };
}

const rethrow = (error: unknown): never => {
  throw asUnavailable(error);
};

type Run = (query: pg.QueryConfig) => Promise<pg.QueryResult>;

function queriesBy(run: Run): Queries {
  const query = ({ text, values }: Sql) =>
    run({ name: statementName(text), text, values: values as unknown[] }).catch(rethrow);
  const maybe = async <Row>(statement: Sql) => (await query(statement)).rows[0] as Row | undefined;
  return {
    many: async <Row>(statement: Sql) => (await query(statement)).rows as Row[],
    maybe,
    one: async <Row>(statement: Sql) => {
      const row = await maybe<Row>(statement);
      if (row === undefined) throw new Error(`no row: ${statement.text}`);
      return row;
    },
    run: async (statement: Sql) => (await query(statement)).rowCount ?? 0,
  };
}

async function inTransaction<T>(pool: pg.Pool, fn: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptTransaction(pool, fn);
    } catch (error) {
      if (attempt === 3 || !RETRYABLE.has((error as { code?: string }).code ?? '')) throw error;
    }
  }
}

/** What the driver does not show of a connected client. */
interface OpenClient {
  connection: { stream: Socket };
}

const corked = new WeakSet<Socket>();

/** What is sent in one turn of the event loop leaves in one write: a write costs more than a statement. */
function sendTogether({ connection: { stream } }: OpenClient): void {
  if (corked.has(stream)) return;
  corked.add(stream);
  stream.cork();
  process.nextTick(() => {
    corked.delete(stream);
    stream.uncork();
  });
}

/** Runs in no request, as at the start of the process: no span is made of a statement that has no duration of its own. */
const untraced = AsyncLocalStorage.snapshot();

/** Statements that follow a failed one say only that; the failed one may be one that nobody waited for. */
async function causeOf(error: unknown, sent: Promise<unknown>[]): Promise<unknown> {
  if ((error as { code?: string }).code !== IN_FAILED_TRANSACTION) return error;
  for (const statement of sent) {
    try {
      await statement;
    } catch (cause) {
      return cause;
    }
  }
  return error;
}

async function attemptTransaction<T>(pool: pg.Pool, fn: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let over = false;
  const queries = queriesBy((query) => {
    // After the rollback it would stay, in nobody's transaction.
    if (over) throw new Error('the transaction is over');
    sendTogether(client as unknown as OpenClient);
    return client.query(query);
  });
  const afterCommit: (() => void)[] = [];
  const sent: Promise<unknown>[] = [];
  const send = (statement: Promise<unknown>) => {
    // Looked at before the commit counts; until then its failure is nobody's.
    statement.catch(() => {});
    sent.push(statement);
  };
  let broken: Error | undefined;
  try {
    sendTogether(client as unknown as OpenClient);
    send(untraced(() => client.query('begin')));
    const result = await fn({
      ...queries,
      send: (statement) => send(untraced(() => queries.run(statement))),
      afterCommit: (done) => void afterCommit.push(done),
    });
    over = true;
    sendTogether(client as unknown as OpenClient);
    const committing = client.query('commit');
    committing.catch(() => {});
    for (const statement of sent) await statement;
    // A commit of a failed transaction answers ROLLBACK without an error.
    const { command } = await committing;
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back');
    for (const done of afterCommit) done();
    return result;
  } catch (error) {
    over = true;
    // Fails at once on a connection that has broken or that the driver has cut.
    await client.query('rollback').catch((failure: Error) => {
      broken = failure;
    });
    throw await causeOf(error, sent);
  } finally {
    client.release(broken);
  }
}
