import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { listDeveloperPromotions as contract } from '@cobro/contracts/routes/promotions.ts';
import { developerList } from '@cobro/frame/developer-list.ts';
import type { Deps } from '../deps.ts';
import { showPromotion } from './promotion.rules.ts';
import { promotionsByStatus } from './promotion.store.ts';

/** GET /developer/v1/promotion */
export async function listDeveloperPromotions(
  deps: Deps,
  { caller: { organizationId }, query }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const now = deps.clock.now();
  const source = promotionsByStatus(organizationId, now);
  const list = { name: 'developer-promotions', organizationId, query, ...source };
  return developerList(deps, { ...list, show: (row) => showPromotion(row, now) });
}
