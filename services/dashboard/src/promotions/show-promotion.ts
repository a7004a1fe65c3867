import type { ShownPromotion } from '@cobro/contracts/promotions.ts';
import { promotionPage, type PromotionView } from '@cobro/dashboard/promotions/promotion-page.ts';
import type { Deps } from '../deps.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import type { Answer } from '../http/visit.ts';
import { idIn, inTime, orNotFound, READING } from '../http/reading.ts';

/** GET /promotions/{id} */
export async function showPromotion(deps: Deps, visit: SignedIn): Promise<Answer> {
  const promotion = await readPromotion(visit);
  const productNames = await namesOfProducts(visit, promotion);
  const done = doneTo(promotion, visit.query.get('done'));
  return show(deps, visit, (frame) => promotionPage(frame, { promotion, productNames, done }));
}

const NAMED = 10;

/** Names of its first products, as far as they come in time. */
async function namesOfProducts({ api }: SignedIn, { productIds }: ShownPromotion): Promise<Map<string, string>> {
  const read = await Promise.all(productIds.slice(0, NAMED).map((id) => inTime(api.products.get(id, READING))));
  return new Map(read.flatMap((product) => (product === null ? [] : [[product.id, product.name]])));
}

/** Confirms what the address says was done, if the status agrees. */
function doneTo({ status }: ShownPromotion, said: string | null): PromotionView['done'] {
  if (said === 'created' && status !== 'ENDED') return said;
  return said === 'ended' && status === 'ENDED' ? said : null;
}

/** The promotion that the address names. */
export const readPromotion = async (visit: SignedIn): Promise<ShownPromotion> =>
  (await orNotFound(visit.api.promotions.get(idIn(visit), READING))) as ShownPromotion;
