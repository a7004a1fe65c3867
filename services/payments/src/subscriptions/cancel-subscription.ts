import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { cancelSubscription as contract } from '@cobro/contracts/routes/subscriptions.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { lockOwnSubscription, ownSubscription } from './own-subscription.ts';
import { cancelling, refuseEnded, showSubscription } from './subscription.rules.ts';
import { changeLocked } from './subscription.store.ts';

/**
 * POST /subscription/{id}/cancel: never blocked. After its 200 no charge begins; one that is at the bank goes on, and its outcome
 * stands. Nothing is refunded.
 */
export async function cancelSubscription(
  { db, clock }: Deps,
  { caller: { organizationId }, params: { id }, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const now = clock.now();
  const own = { organizationId, id, now };
  const cancelled = await db.inTransaction(async (tx) => {
    const row = await lockOwnSubscription(tx, own);
    const { atPeriodEnd = false } = readBody();
    if (row.status === 'CANCELLED') return row;
    refuseEnded(row);
    const changes = cancelling(row, atPeriodEnd, now);
    if (changes === undefined) return row;
    changeLocked(tx, id, changes, now);
    return ownSubscription(tx, own);
  });
  return ok(showSubscription(cancelled, now));
}
