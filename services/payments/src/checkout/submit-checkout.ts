import { checkoutAddress } from '@cobro/checkout/checkout-address.ts';
import type { FormProblem } from '@cobro/checkout/checkout-view.ts';
import { readCheckoutForm } from '@cobro/checkout/read-checkout-form.ts';
import type { AnswerOf, InputOf, SentFrom } from '@cobro/contracts/route.ts';
import type { submitCheckout as contract } from '@cobro/contracts/routes/checkout.ts';
import type { KeptValues } from '@cobro/checkout/form-fields.ts';
import type { Deps } from '../deps.ts';
import { answerPage, foreignOriginView, formView, languageOf, unlessUnavailable } from './checkout-page.ts';
import { findCheckout } from './find-checkout.ts';
import { declineNote, isPageToken } from './page-token.ts';
import type { Checkout, PageRequest, SentForm } from './payable.ts';

type Answer = AnswerOf<typeof contract>;

/**
 * POST /checkout/{id}, public: takes the page's form. Errors in its fields are shown in the form again; every outcome of the bank
 * is a 303 to the page that shows it, so that reloading pays nothing.
 */
export async function submitCheckout(deps: Deps, input: InputOf<typeof contract>): Promise<Answer> {
  const { id } = input.params;
  const { from, deadline } = input;
  const fields = fieldsOf(input.readBody());
  const language = languageOf(from, fields.get('lang') ?? undefined);
  return unlessUnavailable(deps, { language, id }, async () => {
    const checkout = await findCheckout(deps, id);
    const page: PageRequest = { language, attempt: null };
    if (checkout === undefined) return answerPage(deps, { state: 'not-found', language, id });
    const { payable } = checkout;
    if (isForeign(deps, from)) return answerPage(deps, foreignOriginView(payable, page));
    const form = readCheckoutForm(fields, { allowedTerms: payable.allowedTerms, now: deps.clock.now() });
    const again = (problem: FormProblem) => formAgain(deps, checkout, page, { problem, values: form.values });
    if (!isPageToken(deps.checkoutKeys, id, form.token)) return again({ kind: 'stale-page' });
    if (!form.ok) return again({ kind: 'errors', errors: form.errors });
    const sent = { ...form.submission, amount: form.amount, token: form.token, address: from.address, deadline };
    return pay(deps, { checkout, page, sent, again, values: form.values });
  });
}

/** Shows the form with the problem. If it can no longer be paid, redirects to the page, which says so. */
async function formAgain(
  deps: Deps,
  { payable, view }: Checkout,
  page: PageRequest,
  again: { problem: FormProblem; values: KeptValues },
): Promise<Answer> {
  const { state } = await view(page);
  return state === 'form' ? answerPage(deps, formView(deps, payable, page, again)) : leadTo(payable.id, null, page);
}

interface Sent {
  checkout: Checkout;
  page: PageRequest;
  sent: SentForm;
  again: (problem: FormProblem) => Promise<Answer>;
  values: KeptValues;
}

async function pay(deps: Deps, { checkout, page, sent, again, values }: Sent): Promise<Answer> {
  const { id } = checkout.payable;
  const lead = (attempt: string | null) => leadTo(id, attempt, page);
  const earlier = await checkout.findEarlier(sent);
  if (earlier !== undefined) return lead(earlier.id);
  const paid = await checkout.pay(sent);
  switch (paid.end) {
    case 'paid':
    case 'pending':
      return lead(paid.payment.id);
    case 'declined':
      return lead(paid.payment?.id ?? declineNote(deps.checkoutKeys, id, paid.declineCode));
    case 'too_many_declines':
      return again({ kind: 'too-many-attempts', retryAfterSeconds: paid.retryAfterS });
    case 'not_paid': {
      if (paid.why === 'AMOUNT_CHANGED') return askNewAmount(deps, id, { page, values });
      const problem = PROBLEMS[paid.why];
      if (problem !== null) return again({ kind: problem });
      return lead((await checkout.findEarlier(sent))?.id ?? null);
    }
  }
}

/** Shows the form with the present price. */
async function askNewAmount(deps: Deps, id: string, { page, values }: Pick<Sent, 'page' | 'values'>): Promise<Answer> {
  const now = await findCheckout(deps, id);
  if (now === undefined) throw new Error('what is paid is gone');
  return formAgain(deps, now, page, { problem: { kind: 'amount-changed' }, values });
}

/**
 * What the form shows if nothing was charged. Null if the page shows it: it cannot be paid any more, or another tab, another person
 * or this form a moment ago was first.
 */
const PROBLEMS = {
  TERMS_NOT_AVAILABLE: 'terms-not-available',
  NOT_OFFERED_BY_ACQUIRER: 'card-not-accepted',
  FEE_CHANNEL_UNKNOWN: 'card-not-accepted',
  BANK_UNAVAILABLE: 'bank-unavailable',
  ONE_TIME_PAYMENT_NOT_PENDING: null,
  ONE_TIME_PAYMENT_EXPIRED: null,
  PAYMENT_IN_PROGRESS: null,
  PAYMENT_LINK_NOT_ACTIVE: null,
  PAYMENT_LINK_EXPIRED: null,
  PAYMENT_LINK_SOLD_OUT: null,
} as const;

const leadTo = (id: string, attempt: string | null, { language }: PageRequest): Answer => ({
  status: 303,
  headers: { Location: checkoutAddress(id, { attempt, language }), 'Cache-Control': 'no-store' },
});

/** Browsers send a form's origin. Without one, only the token is checked. */
function isForeign(deps: Deps, { origin, fetchSite }: SentFrom): boolean {
  if (fetchSite === 'cross-site') return true;
  return origin !== undefined && origin !== new URL(deps.checkoutBaseUrl).origin;
}

/** Converts the body to what readCheckoutForm takes. */
const fieldsOf = (body: Record<string, string | string[]>): URLSearchParams =>
  new URLSearchParams(
    Object.entries(body).flatMap(([name, values]) => [values].flat().map((value): [string, string] => [name, value])),
  );
