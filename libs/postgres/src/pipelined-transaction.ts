/**
 * A transaction whose statements travel together (docs/performance.md, 'What each trick saves').
 *
 * - Corking: statements of one turn of the event loop leave in one write, because a write to the socket costs more than a
 *   statement.
 * - Riding along: `begin` and every `tx.send` wait for no reply of their own; the commit checks that they succeeded.
 */
import type { Socket } from 'node:net';
import type pg from 'pg';
import { type Queries, queriesBy } from './queries.ts';
import type { Sql } from './sql.ts';

export interface Tx extends Queries {
  /** Sends a statement whose result nobody needs together with the next statement. If it fails, the transaction fails. */
  send(statement: Sql): void;
  /** The same for a statement whose rows somebody needs after the commit. */
  sendForRows<Row>(statement: Sql): { rows: Promise<Row[]> };
  /** Runs `fn` once the transaction has committed, and never after a rollback. */
  afterCommit(fn: () => void): void;
}

/** The same transaction; `see` gets each statement before it is sent. */
export function watched(tx: Tx, see: (statement: Sql) => void): Tx {
  const watch =
    <R>(ask: (statement: Sql) => R) =>
    (statement: Sql): R => {
      see(statement);
      return ask(statement);
    };
  return {
    many: watch(tx.many) as Tx['many'],
    maybe: watch(tx.maybe) as Tx['maybe'],
    one: watch(tx.one) as Tx['one'],
    run: watch(tx.run),
    send: watch(tx.send),
    sendForRows: watch(tx.sendForRows) as Tx['sendForRows'],
    afterCommit: tx.afterCommit,
  };
}

const IN_FAILED_TRANSACTION = '25P02';

/** The socket of a connected client, which the driver's types leave out. */
interface OpenClient {
  connection: { stream: Socket };
}

const corked = new WeakSet<Socket>();

/** Holds back what is written to the client's socket until the end of this turn of the event loop. */
function sendTogether({ connection: { stream } }: OpenClient): void {
  if (corked.has(stream)) return;
  corked.add(stream);
  stream.cork();
  process.nextTick(() => {
    corked.delete(stream);
    stream.uncork();
  });
}

/** Runs `fn` in one READ COMMITTED transaction, once. */
export async function tryTransaction<T>(pool: pg.Pool, fn: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  /** The first error. Statements after it fail only because the transaction has failed. */
  let cause: unknown;
  const ask = (query: string | pg.QueryConfig) =>
    client.query(query).catch((error: unknown) => {
      cause ??= error;
      throw error;
    });
  let over = false;
  const queries = queriesBy((query) => {
    // After the rollback this statement would run in autocommit and persist.
    if (over) throw new Error('the transaction is over');
    sendTogether(client as unknown as OpenClient);
    return ask(query);
  });
  const afterCommit: (() => void)[] = [];
  const sent: Promise<unknown>[] = [];
  const send = (statement: Promise<unknown>) => {
    // Checked at commit. Until then the rejection must not count as unhandled.
    statement.catch(() => {});
    sent.push(statement);
  };
  let broken: Error | undefined;
  try {
    sendTogether(client as unknown as OpenClient);
    send(ask('begin'));
    const result = await fn({
      ...queries,
      send: (statement) => send(queries.run(statement)),
      sendForRows: <Row>(statement: Sql) => {
        const rows = queries.many<Row>(statement);
        send(rows);
        return { rows };
      },
      afterCommit: (done) => void afterCommit.push(done),
    });
    over = true;
    sendTogether(client as unknown as OpenClient);
    const committing = client.query('commit');
    committing.catch(() => {});
    for (const statement of sent) await statement;
    // Postgres replies ROLLBACK, and no error, to the commit of a failed transaction.
    const { command } = await committing;
    if (command !== 'COMMIT') throw cause ?? new Error('the transaction was rolled back');
    for (const done of afterCommit) done();
    return result;
  } catch (error) {
    over = true;
    // The rollback fails at once on a connection that has broken or that the driver has cut.
    await client.query('rollback').catch((failure: Error) => {
      broken = failure;
    });
    throw (error as { code?: string }).code === IN_FAILED_TRANSACTION ? cause : error;
  } finally {
    client.release(broken);
  }
}
