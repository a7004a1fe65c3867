import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { getPromotion as contract, readPartnerPromotion } from '@cobro/contracts/routes/promotions.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { showPromotion, showToSponsor } from './promotion.rules.ts';
import { findPromotion } from './promotion.store.ts';

/** GET /promotion/{id}, and /developer/v1/promotion/{id}. */
export async function getPromotion(
  deps: Deps,
  { caller, params }: Pick<InputOf<typeof contract>, 'caller' | 'params'>,
): Promise<AnswerOf<typeof contract>> {
  const row = await findPromotion(deps.db, { organizationId: caller.organizationId }, params.id);
  if (row === undefined) throw new Refusal('PROMOTION_NOT_FOUND');
  return ok(showPromotion(row, deps.clock.now()));
}

/** GET /developer/promotion/{id}, by its sponsor. */
export async function getPromotionAsSponsor(
  deps: Deps,
  { caller: { partnerId }, params }: InputOf<typeof readPartnerPromotion>,
): Promise<AnswerOf<typeof readPartnerPromotion>> {
  const row = await findPromotion(deps.db, { partnerId }, params.id);
  if (row === undefined) throw new Refusal('FORBIDDEN');
  return ok(showToSponsor(row, deps.clock.now()));
}
