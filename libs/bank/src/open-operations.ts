import { pesosOf } from '@cobro/contracts/amount.ts';
import type { OpenOperation } from '@cobro/contracts/platform.ts';
import type { Queries } from '@cobro/postgres/database.ts';
import { countOpen, listUnknown } from './resolution.store.ts';

/** Younger ones are calls that are still under way. */
const MINUTES = 1;
const MOST = 50;

/** This service's operations that acquirers have not answered: how many, and the oldest. */
export async function openOperations(queries: Queries): Promise<{ count: number; items: OpenOperation[] }> {
  const [count, rows] = await Promise.all([countOpen(queries, MINUTES), listUnknown(queries, MINUTES, MOST)]);
  const items = rows.map(({ id, acquirer, purpose, subjectId, amount, claimedAt, inquiries }) => ({
    id,
    acquirer,
    purpose,
    subjectId,
    amount: amount === null ? null : pesosOf(amount),
    claimedAt: claimedAt.toISOString(),
    inquiries,
  }));
  return { count, items };
}
