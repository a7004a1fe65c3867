import { newPromotionPage, type NewPromotionView } from '@cobro/dashboard/promotions/new-promotion-page.ts';
import { promotionHref } from '@cobro/dashboard/promotions/promotion-parts.ts';
import { clockInMexicoCity } from '@cobro/domain/mexico-city.ts';
import { audited } from '../audit/audited.ts';
import type { Deps } from '../deps.ts';
import { newFormId } from '../http/form-id.ts';
import { problemOf, refusedAs } from '../http/problem.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, redirect } from '../http/visit.ts';
import { productsOnSale } from '../products/products-on-sale.ts';
import { chosenIn, readPromotionForm, typedIn } from './promotion-form.rules.ts';

/** GET /promotions/new: it starts at once unless another time is given. */
export async function showNewPromotion(deps: Deps, visit: SignedIn): Promise<Answer> {
  const startsAt = clockInMexicoCity(deps.clock.now()).toISOString().slice(0, 16);
  return draw(deps, visit, { typed: { startsAt }, chosen: {} });
}

/** POST /promotions/new: the same form makes one promotion, however often it is sent, so it keeps its id if the answer was lost. */
export async function createPromotion(deps: Deps, visit: SignedIn): Promise<Answer> {
  const entered = { typed: typedIn(visit.form), chosen: chosenIn(visit.form) };
  const read = readPromotionForm(visit.form, deps.clock.now());
  if (read.kind === 'wrong') return draw(deps, visit, { ...entered, wrong: read.wrong });
  if (read.kind === 'too-old') return draw(deps, visit, { ...entered, problem: refusedAs(visit, 'FORM_TOO_OLD') });
  const { formId, request, isReferenceOwn } = read;
  const result = await audited(deps, visit, {
    what: 'promotion.create',
    target: formId,
    made: ({ id }) => id,
    send: () => visit.api.promotions.create(request, { attempts: 1 }).result(),
  });
  if (result.kind === 'done') return redirect(`${promotionHref(result.value.id)}?done=created`);
  const problem = problemOf(visit, result);
  const isFormUsed = problem.kind === 'refused' && problem.code === 'EXTERNAL_ID_MISMATCH' && !isReferenceOwn;
  if (isFormUsed) return draw(deps, visit, { ...entered, problem: refusedAs(visit, 'FORM_USED') });
  return draw(deps, visit, { ...entered, formId, problem });
}

async function draw(
  deps: Deps,
  visit: SignedIn,
  view: Partial<NewPromotionView> & Pick<NewPromotionView, 'typed' | 'chosen'>,
): Promise<Answer> {
  const formId = newFormId(deps.clock.now());
  const products = await productsOnSale(visit);
  return show(deps, visit, (frame) => newPromotionPage(frame, { formId, products, wrong: [], problem: null, ...view }));
}
