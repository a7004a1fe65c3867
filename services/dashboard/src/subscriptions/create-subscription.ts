import { newSubscriptionPage, type NewSubscriptionView } from '@cobro/dashboard/subscriptions/new-subscription-page.ts';
import { subscriptionHref } from '@cobro/dashboard/subscriptions/subscription-parts.ts';
import { audited } from '../audit/audited.ts';
import type { Deps } from '../deps.ts';
import { newFormId } from '../http/form-id.ts';
import { problemOf, refusedAs } from '../http/problem.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, field, redirect } from '../http/visit.ts';
import { readSubscriptionForm, typedIn } from './subscription-form.rules.ts';

/** GET /subscriptions/new: `card` is the saved card that is charged. */
export async function showNewSubscription(deps: Deps, visit: SignedIn): Promise<Answer> {
  const card = field(visit.query, 'card');
  return draw(deps, visit, { typed: card === '' ? {} : typedIn(new URLSearchParams({ paymentMethodId: card })) });
}

/** POST /subscriptions/new: the form's id is the externalId, so the same form makes one subscription however often it is sent. */
export async function createSubscription(deps: Deps, visit: SignedIn): Promise<Answer> {
  const typed = typedIn(visit.form);
  const read = readSubscriptionForm(visit.form, deps.clock.now());
  if (read.kind === 'wrong') return draw(deps, visit, { typed, wrong: read.wrong });
  if (read.kind === 'too-old') return draw(deps, visit, { typed, problem: refusedAs(visit, 'FORM_TOO_OLD') });
  const { request } = read;
  const result = await audited(deps, visit, {
    what: 'subscription.create',
    target: request.externalId,
    made: ({ id }) => id,
    send: () => visit.api.subscriptions.create(request, { attempts: 1 }).result(),
  });
  if (result.kind === 'done') {
    return redirect(`${subscriptionHref(result.value.id)}?done=${result.status === 202 ? 'waiting' : 'created'}`);
  }
  const problem = problemOf(visit, result);
  const isFormUsed = problem.kind === 'refused' && problem.code === 'EXTERNAL_ID_MISMATCH';
  if (isFormUsed) return draw(deps, visit, { typed, problem: refusedAs(visit, 'FORM_USED') });
  // A decline has spent the form: with another card it is another subscription.
  const isSpent = problem.kind === 'refused' && problem.code === 'CHARGE_DECLINED';
  return draw(deps, visit, { ...(!isSpent && { formId: request.externalId }), typed, problem });
}

function draw(
  deps: Deps,
  visit: SignedIn,
  view: Partial<NewSubscriptionView> & Pick<NewSubscriptionView, 'typed'>,
): Answer {
  const formId = newFormId(deps.clock.now());
  return show(deps, visit, (frame) => newSubscriptionPage(frame, { formId, wrong: [], problem: null, ...view }));
}
