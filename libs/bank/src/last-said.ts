import type { BankTransaction } from '@cobro/contracts/events.ts';
import type { Queries } from '@cobro/postgres/database.ts';
import { type Approved, type Declined, notProcessed, transactionOf } from './bank.ts';
import { type EndedOperation, findLastEnded, type Purpose } from './journal.store.ts';

/** What the bank said last, and the note of the request. */
export interface LastSaid {
  transaction: BankTransaction;
  note: string | null;
}

/**
 * The bank's last answer about each subject for one of these purposes, by the subject's id. For events that are retold. A
 * subject about which the bank was not asked has no entry.
 */
export async function lastSaid(
  queries: Queries,
  subjectIds: readonly string[],
  purposes: readonly Purpose[],
): Promise<Map<string, LastSaid>> {
  if (subjectIds.length === 0) return new Map();
  const ended = await findLastEnded(queries, subjectIds, purposes);
  return new Map(ended.map((one) => [one.subjectId, { transaction: transactionIn(one), note: one.note }]));
}

function transactionIn({ answer, settledAt }: EndedOperation): BankTransaction {
  if (answer.time === undefined) return notProcessed(settledAt);
  // JSON has kept all of the answer but the type of its time.
  return transactionOf({ ...(answer as unknown as Approved | Declined), time: new Date(answer.time) });
}
