import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { acceptPromotion as contract } from '@cobro/contracts/routes/promotions.ts';
import { promotionStatus } from '@cobro/domain/promotions.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { showToSponsor } from './promotion.rules.ts';
import { lockPromotion, noteAccepted } from './promotion.store.ts';

/** POST /developer/promotion/{id}/accept: from now on the sponsor bears the discount of the fee. */
export async function acceptPromotion(
  deps: Deps,
  { caller: { partnerId }, params, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  readBody();
  const { row, at } = await deps.db.inTransaction(async (tx) => {
    const found = await lockPromotion(tx, { partnerId }, params.id);
    // A promotion that does not exist is refused like another partner's.
    if (found === undefined) throw new Refusal('FORBIDDEN');
    const now = deps.clock.now();
    const status = promotionStatus(found, now);
    if (status === 'ENDED') throw new Refusal('PROMOTION_ENDED');
    if (status !== 'PENDING') return { row: found, at: now };
    noteAccepted(tx, params.id, now);
    return { row: { ...found, acceptedAt: now, updatedAt: now }, at: now };
  });
  return ok(showToSponsor(row, at));
}
