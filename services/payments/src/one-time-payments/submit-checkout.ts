import { checkoutAddress } from '@cobro/checkout/checkout-address.ts';
import type { FormProblem } from '@cobro/checkout/checkout-view.ts';
import { type CheckoutFormReading, readCheckoutForm } from '@cobro/checkout/read-checkout-form.ts';
import { uuid } from '@cobro/contracts/ids.ts';
import type { AnswerOf, InputOf, SentFrom } from '@cobro/contracts/route.ts';
import type { submitCheckout as contract } from '@cobro/contracts/routes/one-time-payments.ts';
import { fingerprintsOf } from '../cards/card-details.ts';
import type { Deps } from '../deps.ts';
import { findAttempt } from '../payments/payment.store.ts';
import { answerPage, foreignOriginView, formView, languageOf, type PageRequest } from './checkout-page.ts';
import { findLinkToPay, type LinkToPay } from './link-to-pay.ts';
import { attemptDigests, declineNote, isPageToken } from './page-token.ts';
import { attemptPayment } from './payment-of-link.ts';

type Answer = AnswerOf<typeof contract>;
type Reading = Extract<CheckoutFormReading, { ok: true }>;

/**
 * POST /checkout/{id}, public: what the page's form sends. What is wrong with its fields is answered by the form itself; every
 * outcome of the bank by a 303 to the page that shows it, so that reloading pays nothing.
 */
export async function submitCheckout(deps: Deps, input: InputOf<typeof contract>): Promise<Answer> {
  const { id } = input.params;
  const { from } = input;
  const fields = fieldsOf(input.readBody());
  const language = languageOf(from, fields.get('lang') ?? undefined);
  const found = uuid.safeParse(id).success ? await findLinkToPay(deps.db, id) : undefined;
  const page: PageRequest = { language, attempt: null };
  if (found === undefined) return answerPage(deps, { state: 'not-found', language, id });
  if (isForeign(deps, from)) return answerPage(deps, foreignOriginView(found, page));
  const form = readCheckoutForm(fields, { allowedTerms: found.link.allowedTerms, now: deps.clock.now() });
  const again = (problem: FormProblem) =>
    answerPage(deps, formView(deps, found, page, { problem, values: form.values }));
  if (!isPageToken(deps.checkoutKeys, id, form.token)) return again({ kind: 'stale-page' });
  if (!form.ok) return again({ kind: 'errors', errors: form.errors });
  const fingerprints = fingerprintsOf(deps.fingerprintKeys, form.submission.card);
  const digests = attemptDigests(deps.checkoutKeys, form.token, fingerprints);
  return pay(deps, input, { found, page, form, digests, again });
}

interface Sent {
  found: LinkToPay;
  page: PageRequest;
  form: Reading;
  digests: [Buffer, ...Buffer[]];
  again: (problem: FormProblem) => Answer;
}

async function pay(deps: Deps, { from, deadline }: InputOf<typeof contract>, sent: Sent): Promise<Answer> {
  const { found, form, digests, again } = sent;
  const { link } = found;
  const lead = (attempt: string | null) => leadTo(link.id, attempt, sent.page);
  const earlier = await findAttempt(deps.db, link.id, digests);
  if (earlier !== undefined) return lead(earlier.id);
  const attempt = { ...form.submission, attemptDigests: digests, address: from.address, deadline };
  const paid = await attemptPayment(deps, link, attempt);
  switch (paid.end) {
    case 'paid':
    case 'pending':
      return lead(paid.payment.id);
    case 'declined':
      return lead(paid.payment?.id ?? declineNote(deps.checkoutKeys, link.id, paid.declineCode));
    case 'too_many_declines':
      return again({ kind: 'too-many-attempts', retryAfterSeconds: paid.retryAfterS });
    case 'not_paid': {
      const problem = PROBLEMS[paid.why];
      if (problem !== null) return again({ kind: problem });
      return lead((await findAttempt(deps.db, link.id, digests))?.id ?? null);
    }
  }
}

/**
 * What the form says where nothing was charged. Null where another tab, another person or this form a moment ago was first: the page
 * shows how the link stands.
 */
const PROBLEMS = {
  TERMS_NOT_AVAILABLE: 'terms-not-available',
  NOT_OFFERED_BY_ACQUIRER: 'card-not-accepted',
  FEE_CHANNEL_UNKNOWN: 'card-not-accepted',
  BANK_UNAVAILABLE: 'bank-unavailable',
  ONE_TIME_PAYMENT_NOT_PENDING: null,
  ONE_TIME_PAYMENT_EXPIRED: null,
  PAYMENT_IN_PROGRESS: null,
} as const;

const leadTo = (id: string, attempt: string | null, { language }: PageRequest): Answer => ({
  status: 303,
  headers: { Location: checkoutAddress(id, { attempt, language }), 'Cache-Control': 'no-store' },
});

/** A browser says where a form comes from. Where it says nothing, the token must do. */
function isForeign(deps: Deps, { origin, fetchSite }: SentFrom): boolean {
  if (fetchSite === 'cross-site') return true;
  return origin !== undefined && origin !== new URL(deps.checkoutBaseUrl).origin;
}

/** As the form's reader takes them. */
const fieldsOf = (body: Record<string, string | string[]>): URLSearchParams =>
  new URLSearchParams(
    Object.entries(body).flatMap(([name, values]) => [values].flat().map((value): [string, string] => [name, value])),
  );
