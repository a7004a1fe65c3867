import { checkoutAddress } from '@cobro/checkout/checkout-address.ts';
import type { FormProblem } from '@cobro/checkout/checkout-view.ts';
import { type CheckoutFormReading, readCheckoutForm } from '@cobro/checkout/read-checkout-form.ts';
import { uuid } from '@cobro/contracts/ids.ts';
import { Refusal, type RefusalCode, type RefusalExtras } from '@cobro/contracts/refusals.ts';
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
  try {
    const attempt = { ...form.submission, attemptDigests: digests, address: from.address, deadline };
    const payment = await attemptPayment(deps, link, attempt);
    return lead(payment.id);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, extras } = error;
    if (code === 'CHARGE_DECLINED') {
      return lead(declineNote(deps.checkoutKeys, link.id, String(extras.fields?.['declineCode'])));
    }
    // Another tab, another person or this form a moment ago: the page shows how it stands.
    if (HAS_MOVED_ON.has(code)) return lead((await findAttempt(deps.db, link.id, digests))?.id ?? null);
    const problem = PROBLEMS[code]?.(extras);
    if (problem === undefined) throw error;
    return again(problem);
  }
}

const HAS_MOVED_ON = new Set<RefusalCode>([
  'ONE_TIME_PAYMENT_NOT_PENDING',
  'ONE_TIME_PAYMENT_EXPIRED',
  'PAYMENT_IN_PROGRESS',
]);

/** What the form says of a refusal after which nothing was charged. */
const PROBLEMS: Partial<Record<RefusalCode, (extras: RefusalExtras) => FormProblem>> = {
  TOO_MANY_ATTEMPTS: ({ headers }) => ({
    kind: 'too-many-attempts',
    retryAfterSeconds: Number(headers?.['Retry-After']),
  }),
  TERMS_NOT_AVAILABLE: () => ({ kind: 'terms-not-available' }),
  FEE_CHANNEL_UNKNOWN: () => ({ kind: 'card-not-accepted' }),
  BANK_UNAVAILABLE: () => ({ kind: 'bank-unavailable' }),
};

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
