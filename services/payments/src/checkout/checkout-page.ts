import { renderCheckout } from '@cobro/checkout/render-checkout.ts';
import type { CheckoutView, FormProblem, FormView } from '@cobro/checkout/checkout-view.ts';
import type { KeptValues } from '@cobro/checkout/form-fields.ts';
import { counter } from '@cobro/metrics/instruments.ts';
import { chooseLanguage, type Language } from '@cobro/html/language.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { SentFrom } from '@cobro/contracts/route.ts';
import { DatabaseUnavailable } from '@cobro/postgres/unavailable.ts';
import type { Deps } from '../deps.ts';
import type { PaymentRow } from '../payments/payment.row.ts';
import { findPayment } from '../payments/payment.store.ts';
import { issuePageToken, readDeclineNote } from './page-token.ts';
import type { PageRequest, Payable } from './payable.ts';

export const languageOf = (from: SentFrom, lang: string | undefined): Language => chooseLanguage(from.languages, lang);

/** The page as an answer: its status and headers are the page's own. */
export function answerPage(deps: Deps, view: CheckoutView) {
  const { status, headers, html } = renderCheckout(view, deps.checkoutAssets);
  return { status: status as PageStatus, headers, text: html };
}

/** Every status that the page's two contracts have in common; tests hold each page against its own contract. */
type PageStatus = 404 | 503;

/** Answers with a page if the database is unavailable or the organization's event has not come: otherwise payers would see JSON. */
export async function unlessUnavailable<Answer>(
  deps: Deps,
  page: { language: Language; id: string },
  answer: () => Promise<Answer>,
) {
  try {
    return await answer();
  } catch (error) {
    const isUnavailable =
      error instanceof DatabaseUnavailable || (error instanceof Refusal && error.code === 'SERVICE_UNAVAILABLE');
    if (!isUnavailable) throw error;
    deps.log.error({ error }, 'a page of the checkout could not be shown');
    counter('cobro.http.refusals')({ route: '/checkout/:id', code: 'SERVICE_UNAVAILABLE' });
    return answerPage(deps, { state: 'unavailable', ...page });
  }
}

/** What every page of an existing checkout shows. */
export function commonOf({ id, organization, homepageUrl }: Payable, { language, attempt }: PageRequest) {
  const merchant = { name: organization.name, color: organization.color };
  return { language, id, attempt, merchant, homepageUrl };
}

/** The form, shown first or again. Each showing has a token of its own. */
export function formView(
  deps: Deps,
  payable: Payable,
  page: PageRequest,
  again: { problem: FormProblem | null; values: KeptValues },
): FormView {
  const { amount, description, expiresAt, allowedTerms, id } = payable;
  return {
    ...commonOf(payable, page),
    ...again,
    state: 'form',
    payment: { amount, description, expiresAt },
    allowedTerms,
    token: issuePageToken(deps.checkoutKeys, id),
    now: deps.clock.now(),
    encrypted: deps.checkoutBaseUrl.startsWith('https:'),
  };
}

export const foreignOriginView = (payable: Payable, page: PageRequest): CheckoutView => ({
  ...commonOf(payable, page),
  state: 'foreign-origin',
});

/** The receipt, for the browser that paid. */
export const paidView = (
  payable: Payable,
  page: PageRequest,
  { payment, redirectUrl }: { payment: PaymentRow; redirectUrl: string | null },
): CheckoutView => ({ ...commonOf(payable, page), state: 'paid', payment: receiptOf(payment), redirectUrl });

function receiptOf(payment: PaymentRow) {
  const { amount, operationCode, terms, bankTransaction, createdAt, card } = payment;
  return {
    amount,
    description: payment.description ?? '',
    operationCode: Number(operationCode),
    paidAt: bankTransaction === null ? createdAt : new Date(bankTransaction.createdAt),
    terms,
    card: { lastFourDigits: card.lastFourDigits, network: card.network },
  };
}

/** The payment that `attempt` names. */
export const findNamed = async (deps: Deps, { organizationId }: Payable, attempt: string | null) =>
  attempt !== null && UUID.test(attempt) ? findPayment(deps.db, organizationId, attempt) : undefined;

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** How long the form shows what a declined payer filled in: the payer may later share the page's address. */
const KEPT_FOR_MS = 15 * 60_000;

/**
 * What the form shows after a decline: the problem, and what the payer filled in except the card. `attempt` is the payment's id or
 * a decline note.
 */
export function declinedAttempt(deps: Deps, { id }: Payable, attempt: string | null, payment: PaymentRow | undefined) {
  const declined = (declineCode: string) => ({ kind: 'declined' as const, declineCode });
  const noted = attempt === null ? undefined : readDeclineNote(deps.checkoutKeys, id, attempt);
  if (noted !== undefined) return { problem: declined(noted), values: {} };
  if (payment?.status !== 'CANCELLED') return { problem: null, values: {} };
  const isRecent = deps.clock.now().getTime() - payment.createdAt.getTime() < KEPT_FOR_MS;
  return { problem: declined(payment.declineCode ?? 'unknown'), values: isRecent ? keptOf(payment) : {} };
}

function keptOf({ billing, terms }: PaymentRow): KeptValues {
  const { email, firstName, lastName, phoneNumber } = billing ?? {};
  const values = { email, firstName, lastName, phoneNumber, terms: String(terms), ...billing?.address };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value === 'string'));
}
