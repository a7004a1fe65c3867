import { paymentLinkHref } from '@cobro/dashboard/payment-links/payment-link-parts.ts';
import { newPaymentLinkPage, type NewPaymentLinkView } from '@cobro/dashboard/payment-links/new-payment-link-page.ts';
import { audited } from '../audit/audited.ts';
import type { Deps } from '../deps.ts';
import { newFormId } from '../http/form-id.ts';
import { problemOf, refusedAs } from '../http/problem.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, redirect } from '../http/visit.ts';
import { productsOnSale } from '../products/products-on-sale.ts';
import { whoSells } from '../sellers/who-sells.ts';
import { readPaymentLinkForm, typedIn } from './payment-link-form.rules.ts';

/** GET /payment-links/new */
export async function showNewPaymentLink(deps: Deps, visit: SignedIn): Promise<Answer> {
  return draw(deps, visit, { typed: { terms: [1] } });
}

/** POST /payment-links/new: the form's id is the externalId, so the same form makes one payment link however often it is sent. */
export async function createPaymentLink(deps: Deps, visit: SignedIn): Promise<Answer> {
  const typed = typedIn(visit.form);
  const read = readPaymentLinkForm(visit.form, deps.clock.now());
  if (read.kind === 'wrong') return draw(deps, visit, { typed, wrong: read.wrong });
  if (read.kind === 'too-old') return draw(deps, visit, { typed, problem: refusedAs(visit, 'FORM_TOO_OLD') });
  const { request } = read;
  const result = await audited(deps, visit, {
    what: 'payment-link.create',
    target: request.externalId,
    made: ({ id }) => id,
    send: () => visit.api.paymentLinks.create(request, { attempts: 1 }).result(),
  });
  if (result.kind === 'done') return redirect(`${paymentLinkHref(result.value.id)}?done=created`);
  const problem = problemOf(visit, result);
  const isFormUsed = problem.kind === 'refused' && problem.code === 'EXTERNAL_ID_MISMATCH';
  if (isFormUsed) return draw(deps, visit, { typed, problem: refusedAs(visit, 'FORM_USED') });
  return draw(deps, visit, { formId: request.externalId, typed, problem });
}

async function draw(
  deps: Deps,
  visit: SignedIn,
  view: Partial<NewPaymentLinkView> & Pick<NewPaymentLinkView, 'typed'>,
): Promise<Answer> {
  const formId = newFormId(deps.clock.now());
  const [products, sellers] = await Promise.all([productsOnSale(visit), whoSells(visit)]);
  return show(deps, visit, (frame) =>
    newPaymentLinkPage(frame, { formId, products, sellers, wrong: [], problem: null, ...view }),
  );
}
