import { renderCheckout } from '@cobro/checkout/render-checkout.ts';
import type { CheckoutView, FormProblem, FormView } from '@cobro/checkout/checkout-view.ts';
import type { KeptValues } from '@cobro/checkout/form-fields.ts';
import { chooseLanguage, type Language } from '@cobro/html/language.ts';
import type { SentFrom } from '@cobro/contracts/route.ts';
import type { Deps } from '../deps.ts';
import type { PaymentRow } from '../payments/payment.row.ts';
import { findOpenPaymentOfLink, findPayment, findPaymentOfLink } from '../payments/payment.store.ts';
import type { LinkToPay } from './link-to-pay.ts';
import { hasExpired } from './one-time-payment.rules.ts';
import { issuePageToken, readDeclineNote } from './page-token.ts';

/** How a page was asked for. */
export interface PageRequest {
  language: Language;
  /** Names the attempt whose outcome is to be shown. */
  attempt: string | null;
}

export const languageOf = (from: SentFrom, lang: string | undefined): Language => chooseLanguage(from.languages, lang);

/** The page as an answer: its status and headers are the page's own. */
export function answerPage(deps: Deps, view: CheckoutView) {
  const { status, headers, html } = renderCheckout(view, deps.checkoutAssets);
  return { status: status as PageStatus, headers, text: html };
}

/** Every status that the page's two contracts have in common; tests hold each page against its own contract. */
type PageStatus = 404 | 503;

/** What every page of a link that exists is given. */
function commonOf({ link, organization }: LinkToPay, { language, attempt }: PageRequest) {
  const merchant = { name: organization.name, color: organization.color };
  return { language, id: link.id, attempt, merchant, homepageUrl: link.homepageUrl };
}

/** The form, shown first or again. Each showing has a token of its own. */
export function formView(
  deps: Deps,
  found: LinkToPay,
  page: PageRequest,
  again: { problem: FormProblem | null; values: KeptValues } = { problem: null, values: {} },
): FormView {
  const { amount, description, expiresAt, allowedTerms, id } = found.link;
  return {
    ...commonOf(found, page),
    ...again,
    state: 'form',
    payment: { amount, description, expiresAt },
    allowedTerms,
    token: issuePageToken(deps.checkoutKeys, id),
    now: deps.clock.now(),
    encrypted: deps.checkoutBaseUrl.startsWith('https:'),
  };
}

export const foreignOriginView = (found: LinkToPay, page: PageRequest): CheckoutView => ({
  ...commonOf(found, page),
  state: 'foreign-origin',
});

/** The state that a link is in, in this order: paid, confirming, cancelled, expired, and else its form. */
export async function currentView(deps: Deps, found: LinkToPay, page: PageRequest): Promise<CheckoutView> {
  const { link } = found;
  const common = commonOf(found, page);
  if (link.status === 'CONFIRMED') {
    const payment = await findPaymentOfLink(deps.db, link.id);
    // Only who knows the payment's id, which its payer's browser was led to, sees what was paid.
    return payment !== undefined && payment.id === page.attempt
      ? { ...common, state: 'paid', payment: receiptOf(payment), redirectUrl: link.redirectUrl }
      : { ...common, state: 'already-paid' };
  }
  const { amount, description } = link;
  if ((await findOpenPaymentOfLink(deps.db, link.id)) !== undefined) {
    return { ...common, state: 'confirming', payment: { amount, description } };
  }
  if (link.status === 'CANCELLED') return { ...common, state: 'cancelled' };
  if (hasExpired(link, deps.clock.now())) return { ...common, state: 'expired' };
  return formView(deps, found, page, await declinedAttempt(deps, found, page.attempt));
}

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

/** What the form says after a decline, with what its payer had filled in, but for the card. */
async function declinedAttempt(deps: Deps, { link }: LinkToPay, attempt: string | null) {
  const nothing = { problem: null, values: {} };
  if (attempt === null) return nothing;
  const noted = readDeclineNote(deps.checkoutKeys, link.id, attempt);
  if (noted !== undefined) return { problem: { kind: 'declined' as const, declineCode: noted }, values: {} };
  const payment = UUID.test(attempt) ? await findPayment(deps.db, link.organizationId, attempt) : undefined;
  if (payment?.oneTimePaymentId !== link.id || payment.status !== 'CANCELLED') return nothing;
  const declineCode = payment.declineCode ?? 'unknown';
  return { problem: { kind: 'declined' as const, declineCode }, values: keptOf(payment) };
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

function keptOf({ billing, terms }: PaymentRow): KeptValues {
  const { email, firstName, lastName, phoneNumber } = billing ?? {};
  const values = { email, firstName, lastName, phoneNumber, terms: String(terms), ...billing?.address };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value === 'string'));
}
