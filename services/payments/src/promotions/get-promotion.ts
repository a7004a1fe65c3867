import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { getPromotion as contract } from '@cobro/contracts/routes/promotions.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { showPromotion } from './promotion.rules.ts';
import { findPromotion } from './promotion.store.ts';

/** GET /promotion/{id}, and /developer/v1/promotion/{id}. */
export async function getPromotion(
  deps: Deps,
  { caller, params }: Pick<InputOf<typeof contract>, 'caller' | 'params'>,
): Promise<AnswerOf<typeof contract>> {
  const row = await findPromotion(deps.db, caller.organizationId, params.id);
  if (row === undefined) throw new Refusal('PROMOTION_NOT_FOUND');
  return ok(showPromotion(row, deps.clock.now()));
}
