import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { pauseSubscription as contract } from '@cobro/contracts/routes/subscriptions.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { lockOwnSubscription, ownSubscription } from './own-subscription.ts';
import { refuseEnded, showSubscription } from './subscription.rules.ts';
import { changeLocked } from './subscription.store.ts';

/** POST /subscription/{id}/pause: after its 200 no charge begins. */
export async function pauseSubscription(
  { db, clock }: Deps,
  { caller: { organizationId }, params: { id }, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const now = clock.now();
  const own = { organizationId, id, now };
  const paused = await db.inTransaction(async (tx) => {
    const row = await lockOwnSubscription(tx, own);
    readBody();
    refuseEnded(row);
    if (row.status === 'PENDING') throw new Refusal('CHARGE_IN_PROGRESS', { fields: { subscriptionId: id } });
    if (row.pausedAt !== null) return row;
    changeLocked(tx, id, { pausedAt: now }, now);
    return ownSubscription(tx, own);
  });
  return ok(showSubscription(paused, now));
}
