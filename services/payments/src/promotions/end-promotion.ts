import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { endPartnerPromotion, endPromotion as contract } from '@cobro/contracts/routes/promotions.ts';
import { promotionStatus } from '@cobro/domain/promotions.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { showPromotion, showToSponsor } from './promotion.rules.ts';
import { lockPromotion, noteEnded, type OwnerOfPromotion } from './promotion.store.ts';

/** POST /promotion/{id}/end. */
export async function endPromotion(
  deps: Deps,
  { caller: { organizationId }, params, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  readBody();
  const ended = await end(deps, { organizationId }, params.id);
  if (ended === undefined) throw new Refusal('PROMOTION_NOT_FOUND');
  return ok(showPromotion(ended.row, ended.at));
}

/** POST /developer/promotion/{id}/end, by its sponsor. */
export async function endPromotionAsSponsor(
  deps: Deps,
  { caller: { partnerId }, params, readBody }: InputOf<typeof endPartnerPromotion>,
): Promise<AnswerOf<typeof endPartnerPromotion>> {
  readBody();
  const ended = await end(deps, { partnerId }, params.id);
  if (ended === undefined) throw new Refusal('FORBIDDEN');
  return ok(showToSponsor(ended.row, ended.at));
}

/** Returns undefined if this owner has no such promotion. One that has ended stays unchanged. */
export const end = (deps: Pick<Deps, 'db' | 'clock'>, owner: OwnerOfPromotion, id: string) =>
  deps.db.inTransaction(async (tx) => {
    const row = await lockPromotion(tx, owner, id);
    const at = deps.clock.now();
    if (row === undefined || promotionStatus(row, at) === 'ENDED') return row && { row, at };
    noteEnded(tx, id, at);
    return { row: { ...row, endedAt: at, updatedAt: at }, at };
  });
