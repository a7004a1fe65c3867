import type { PartnerPromotion } from '@cobro/contracts/promotions.ts';
import {
  type PartnerPromotionAction,
  partnerPromotionActionPage,
  partnerPromotionPage,
  type PartnerPromotionView,
} from '@cobro/dashboard/partner/partner-promotion-page.ts';
import { partnerPromotionHref } from '@cobro/dashboard/partner/partner-promotions-page.ts';
import { audited } from '../audit/audited.ts';
import type { Deps } from '../deps.ts';
import { problemOf } from '../http/problem.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, redirect } from '../http/visit.ts';
import { idIn, orNotFound, READING } from '../http/reading.ts';

/** GET /partner/promotions/{id} */
export async function showPartnerPromotion(deps: Deps, visit: SignedIn): Promise<Answer> {
  const promotion = await readPartnerPromotion(visit);
  const done = doneTo(promotion, visit.query.get('done'));
  return show(deps, visit, (frame) => partnerPromotionPage(frame, { promotion, done }));
}

/** Confirms what the address says was done, if the status agrees. */
function doneTo({ status }: PartnerPromotion, said: string | null): PartnerPromotionView['done'] {
  if (said === 'accepted' && (status === 'SCHEDULED' || status === 'ACTIVE')) return said;
  return said === 'ended' && status === 'ENDED' ? said : null;
}

/** GET /partner/promotions/{id}/accept and …/end: explains the action before its button. */
export const showPartnerPromotionAction =
  (act: PartnerPromotionAction) =>
  async (deps: Deps, visit: SignedIn): Promise<Answer> => {
    const promotion = await readPartnerPromotion(visit);
    return show(deps, visit, (frame) => partnerPromotionActionPage(frame, { act, promotion, problem: null }));
  };

const contracts = { accept: 'acceptPromotion', end: 'endPartnerPromotion' } as const;

/** POST /partner/promotions/{id}/accept and …/end: repeated, they do nothing more. */
export const actOnPartnerPromotion =
  (act: PartnerPromotionAction) =>
  async (deps: Deps, visit: SignedIn): Promise<Answer> => {
    const promotion = await readPartnerPromotion(visit);
    const { id } = promotion;
    const result = await audited(deps, visit, {
      what: `promotion.${act}`,
      target: id,
      send: () => visit.api.call(contracts[act], { params: { id } }, { attempts: 1 }).result(),
    });
    if (result.kind === 'done')
      return redirect(`${partnerPromotionHref(id)}?done=${act === 'end' ? 'ended' : 'accepted'}`);
    const problem = problemOf(visit, result);
    return show(deps, visit, (frame) => partnerPromotionActionPage(frame, { act, promotion, problem }));
  };

/** The promotion that the address names. */
const readPartnerPromotion = async (visit: SignedIn): Promise<PartnerPromotion> =>
  (await orNotFound(
    visit.api.call('readPartnerPromotion', { params: { id: idIn(visit) } }, READING),
  )) as PartnerPromotion;
