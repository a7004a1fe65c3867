import { endPromotionPage } from '@cobro/dashboard/promotions/promotion-page.ts';
import { promotionHref } from '@cobro/dashboard/promotions/promotion-parts.ts';
import { audited } from '../audit/audited.ts';
import type { Deps } from '../deps.ts';
import { problemOf } from '../http/problem.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, redirect } from '../http/visit.ts';
import { readPromotion } from './show-promotion.ts';

/** GET /promotions/{id}/end: the form alone, for browsers without script. */
export async function showEndPromotion(deps: Deps, visit: SignedIn): Promise<Answer> {
  const promotion = await readPromotion(visit);
  return show(deps, visit, (frame) => endPromotionPage(frame, { promotion, problem: null }));
}

/** POST /promotions/{id}/end: repeated, it does nothing more. */
export async function endPromotion(deps: Deps, visit: SignedIn): Promise<Answer> {
  const promotion = await readPromotion(visit);
  const result = await audited(deps, visit, {
    what: 'promotion.end',
    target: promotion.id,
    send: () => visit.api.promotions.end(promotion.id, { attempts: 1 }).result(),
  });
  if (result.kind === 'done') return redirect(`${promotionHref(promotion.id)}?done=ended`);
  return show(deps, visit, (frame) => endPromotionPage(frame, { promotion, problem: problemOf(visit, result) }));
}
