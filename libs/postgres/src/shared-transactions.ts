/**
 * Statements that come while others commit share the next transaction, because a commit and the writes around it cost more than
 * most statements (docs/performance.md, 'What each trick saves'). One that comes alone runs at once.
 */
import { createBatcher } from '@cobro/async/batcher.ts';
import type { Tx } from './pipelined-transaction.ts';
import type { Queries } from './queries.ts';
import { type Sql, sql } from './sql.ts';
import { mayHaveCommitted, sqlStateOf } from './unavailable.ts';

/** At least one statement; none needs another one's rows. */
export type Statements = readonly [...Sql[], Sql];

type InTransaction = <T>(fn: (tx: Tx) => Promise<T>) => Promise<T>;
type InBatches = <Row>(subject: string, ...statements: Statements) => Promise<Row[]>;

interface Member {
  subject: string;
  statements: Statements;
  end: (rows: unknown[] | Promise<unknown[]>) => void;
}

/** While one transaction waits for the disk, the other works. */
const AT_ONCE = 2;
const SLOW_AFTER_MS = 100;
const MOST_TOGETHER = 32;
/** If a statement waits longer for a row, the shared transaction fails, and each member then runs alone. */
const lockTimeout = sql`set local lock_timeout = '150ms'`;

/** `many` runs one statement in its own transaction. */
export function shareTransactions(inTransaction: InTransaction, many: Queries['many']): InBatches {
  const runAlone = runningAlone(inTransaction, many);
  const run = async (members: [Member, ...Member[]]) => {
    if (members.length === 1) return runAlone(members[0]);
    const ended = await runShared(inTransaction, members);
    if (ended === 'not written') await Promise.all(members.map(runAlone));
    else members.forEach(({ end }, i) => end(ended[i] ?? []));
  };
  // All processes take their locks in the order of the subjects, so that no two wait for each other.
  return inBatches(run);
}

/** The same with a transaction for each member. Few with one subject run at once, so that its lock keeps few connections waiting. */
export function ownTransactions(inTransaction: InTransaction, many: Queries['many']): InBatches {
  const runAlone = runningAlone(inTransaction, many);
  return inBatches(async (members) => void (await Promise.all(members.map(runAlone))));
}

function inBatches(work: (members: [Member, ...Member[]]) => Promise<void>): InBatches {
  const members = createBatcher<Member>({
    work,
    keyOf: ({ subject }) => subject,
    atOnce: AT_ONCE,
    slowAfterMs: SLOW_AFTER_MS,
    most: MOST_TOGETHER,
  });
  return <Row>(subject: string, ...statements: Statements) =>
    new Promise<Row[]>((resolve) => {
      members.add({ subject, statements, end: (rows) => resolve(rows as Row[] | Promise<Row[]>) });
    });
}

const runningAlone =
  (inTransaction: InTransaction, many: Queries['many']) =>
  async ({ statements, end }: Member) => {
    const [only, ...others] = statements;
    const rows = others.length === 0 ? many(only) : inTransaction(async (tx) => sendAll(tx, statements)).then(settled);
    end(rows);
    await Promise.allSettled([rows]);
  };

/** The rows of each member, or its rejection. 'not written' if the transaction has certainly been rolled back. */
async function runShared(
  inTransaction: InTransaction,
  members: readonly Member[],
): Promise<Promise<unknown[]>[] | 'not written'> {
  let sent: Sent[] = [];
  let hasFailed = false;
  const share = async (tx: Tx) => {
    hasFailed = false;
    tx.send(lockTimeout);
    sent = members.map(({ statements }) => sendAll(tx, statements));
    for (const { rows } of sent) rows.catch((error: unknown) => (hasFailed ||= sqlStateOf(error) !== undefined));
  };
  try {
    await inTransaction(share);
    return sent.map(settled);
  } catch (error) {
    // If only the commit's reply was lost, running again would write everything twice.
    const isLost = sent.length > 0 && !hasFailed && mayHaveCommitted(error);
    return isLost ? members.map(() => Promise.reject(error)) : 'not written';
  }
}

/** The rows of the last statement, after the commit. */
interface Sent {
  rows: Promise<unknown[]>;
}

function sendAll(tx: Tx, statements: Statements): Sent {
  for (const statement of statements.slice(0, -1)) tx.send(statement);
  return tx.sendForRows(statements.at(-1) as Sql);
}

const settled = ({ rows }: Sent) => rows;
