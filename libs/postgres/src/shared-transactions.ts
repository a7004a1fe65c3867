/**
 * Works that come while others commit share the next transaction, because a commit and the writes to a socket around it cost
 * more than most statements. A work that comes alone has a transaction of its own at once, so nobody waits where nobody else is.
 *
 * What it saves: docs/performance.md, 'What was done about it'.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Tx, watched } from './pipelined-transaction.ts';
import { sql } from './sql.ts';
import { together } from './together.ts';
import { isOfPostgres, mayHaveCommitted } from './unavailable.ts';

type InTransaction = <T>(fn: (tx: Tx) => Promise<T>) => Promise<T>;
type InSharedTransaction = <T>(subject: string, work: (tx: Tx) => Promise<T>) => Promise<T>;

interface Member {
  subject: string;
  work: (tx: Tx) => Promise<unknown>;
  end: (result: unknown) => void;
  /** Runs a function in the trace of whoever brought this work, and not in that of another one. */
  inItsTrace: <T>(fn: () => T) => T;
}

/** While one transaction waits for the disk, the other works. */
const AT_ONCE = 2;
const SLOW_AFTER_MS = 100;
const MOST_TOGETHER = 32;
/** A work that must wait longer for a row waits alone. */
const lockTimeout = sql`set local lock_timeout = '150ms'`;

export function shareTransactions(inTransaction: InTransaction): InSharedTransaction {
  const add = together<Member>({
    work: (members) => run(inTransaction, members),
    // All processes take their locks in this order, so that no two wait for each other.
    keyOf: ({ subject }) => subject,
    atOnce: AT_ONCE,
    slowAfterMs: SLOW_AFTER_MS,
    most: MOST_TOGETHER,
  });
  return <T>(subject: string, work: (tx: Tx) => Promise<T>) =>
    new Promise<T>((resolve) => {
      const end = (result: unknown) => resolve(result as T | Promise<T>);
      add({ subject, work, end, inItsTrace: AsyncLocalStorage.snapshot() });
    });
}

/** Never rejects. Whether a work failed is told to whoever brought it. */
async function run(inTransaction: InTransaction, members: [Member, ...Member[]]): Promise<void> {
  if (members.length === 1) return runAlone(inTransaction, members);
  let isCommitting = false;
  const share = (tx: Tx) => {
    isCommitting = false;
    tx.send(lockTimeout);
    return runAll(tx, members).then((results) => {
      isCommitting = true;
      return results;
    });
  };
  try {
    const ended = await inTransaction(share);
    members.forEach(({ end }, i) => end(ended[i]?.()));
  } catch (error) {
    // Whoever ran again after a commit whose reply was lost would write everything twice.
    if (isCommitting && mayHaveCommitted(error)) members.forEach(({ end }) => end(Promise.reject(error)));
    else await runAlone(inTransaction, members);
  }
}

async function runAlone(inTransaction: InTransaction, members: Member[]): Promise<void> {
  const alone = members.map(({ work, end, inItsTrace }) => {
    const ended = inItsTrace(() => inTransaction(work));
    end(ended);
    return ended;
  });
  await Promise.allSettled(alone);
}

/** For each work a function that gives its result or throws what it refused. Rejects where all must be rolled back. */
async function runAll(tx: Tx, members: Member[]): Promise<(() => unknown)[]> {
  const results = await Promise.allSettled(members.map((one) => one.inItsTrace(() => runOne(tx, one))));
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

async function runOne(tx: Tx, { work }: Member): Promise<() => unknown> {
  let hasWritten = false;
  const afterCommits: (() => void)[] = [];
  const told = watched(tx, ({ text }) => {
    hasWritten ||= !/^\s*select\b/.test(text);
  });
  try {
    const value = await work({ ...told, afterCommit: (done) => void afterCommits.push(done) });
    afterCommits.forEach(tx.afterCommit);
    return () => value;
  } catch (error) {
    // A statement that failed has ended the transaction for all.
    if (hasWritten || isOfPostgres(error)) throw error;
    return () => Promise.reject(error);
  }
}
