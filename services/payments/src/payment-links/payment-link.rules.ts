import { pesosOf } from '@cobro/contracts/amount.ts';
import {
  LINK_EXPIRES_AT_RULE,
  LINK_TERMS_RULE,
  type LinkPayment,
  type PaymentLink,
  type PaymentLinkCheckout,
} from '@cobro/contracts/payment-links.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { refuseField } from '@cobro/contracts/validation.ts';
import type { OrganizationRow } from '../organizations/organization.row.ts';
import type { PaymentRow } from '../payments/payment.row.ts';
import type { PaymentLinkRow } from './payment-link.row.ts';

/** @throws Refusal 400 */
export function refusePast(expiresAt: Date | undefined, now: Date): void {
  if (expiresAt !== undefined && expiresAt <= now) throw refuseField('expiresAt', LINK_EXPIRES_AT_RULE);
}

/** @throws Refusal 400 if the payment link does not allow these terms */
export function refuseLinkTerms({ allowedTerms }: PaymentLinkRow, terms: number): void {
  if (allowedTerms.some((allowed) => allowed === terms)) return;
  throw refuseField('terms', `${LINK_TERMS_RULE}: ${allowedTerms.join(', ')}`);
}

const REFUSALS = {
  INACTIVE: 'PAYMENT_LINK_NOT_ACTIVE',
  EXPIRED: 'PAYMENT_LINK_EXPIRED',
  SOLD_OUT: 'PAYMENT_LINK_SOLD_OUT',
  ACTIVE: undefined,
} as const;

/** Why the link cannot be paid now at the amount that the payer saw; undefined if it can. */
export const linkRefusal = ({ status, price }: PaymentLinkRow, amount: bigint) =>
  REFUSALS[status] ?? (price === amount ? undefined : 'AMOUNT_CHANGED');
export type LinkRefusal = NonNullable<ReturnType<typeof linkRefusal>>;

/** The least that a payer owes in each month, in centavos. */
const LEAST_PER_TERM = 10_000n;
const TERMS_WITHOUT_AMEX = 18;

/** Installments without interest need a credit card and at least 100 pesos a month; 18 exclude American Express. */
export function offersTerms(
  { fundingSource, network }: { fundingSource: string; network: string },
  terms: number,
  amount: bigint,
): boolean {
  if (terms === 1) return true;
  if (fundingSource !== 'CREDIT' || amount < LEAST_PER_TERM * BigInt(terms)) return false;
  return !(terms === TERMS_WITHOUT_AMEX && network === 'AMEX');
}

/** The payment link as its merchant sees it. */
export function showPaymentLink(row: PaymentLinkRow, checkoutBaseUrl: string): PaymentLink {
  const { id, status, active, description, currency, allowedTerms, maxPayments, paymentsCount } = row;
  const { productId, productName, redirectUrl, homepageUrl, externalId } = row;
  return {
    id,
    status,
    active,
    description,
    amount: pesosOf(row.price),
    currency,
    product: productId === null ? null : { id: productId, name: productName ?? '' },
    allowedTerms,
    maxPayments,
    paymentsCount,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    redirectUrl,
    homepageUrl,
    salesperson: salespersonOf(row),
    externalId,
    checkoutUrl: `${checkoutBaseUrl}/checkout/${id}`,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

const salespersonOf = ({ salespersonId: id, salespersonName: name, salespersonUsername: username }: PaymentLinkRow) =>
  id === null || name === null || username === null ? null : { id, name, username };

/** The payment link as anybody who holds its id may see it. */
export function showLinkPublicly(link: PaymentLinkRow, { name, websiteUrl }: OrganizationRow): PaymentLinkCheckout {
  const { id, status, description, currency, allowedTerms, homepageUrl } = link;
  const organization = { name, business: { websiteURL: websiteUrl } };
  if (status !== 'ACTIVE') return { id, status, homepageUrl, organization };
  const asked = { description, amount: pesosOf(link.price), currency, allowedTerms };
  return { id, status, ...asked, expiresAt: link.expiresAt?.toISOString() ?? null, homepageUrl, organization };
}

/** The payment as its payer sees it. */
export const showLinkPayment = (
  { id, status, amount, currency, operationCode }: PaymentRow,
  { redirectUrl }: Pick<PaymentLinkRow, 'redirectUrl'>,
): LinkPayment => ({
  id,
  status,
  amount: pesosOf(amount),
  currency,
  operationCode: Number(operationCode),
  redirectUrl,
});

/** The refusal for a CANCELLED payment. */
export const chargeDeclined = ({ id, declineCode }: PaymentRow, headers: Record<string, string> = {}): Refusal =>
  new Refusal('CHARGE_DECLINED', { fields: { declineCode: declineCode ?? 'unknown', paymentId: id }, headers });

/** Whether the payment has this attempt's amount, terms and card. */
export const sameAttempt = (
  row: PaymentRow,
  attempt: { amount: bigint; terms?: number | undefined; attemptDigests: readonly Buffer[] },
): boolean =>
  row.amount === attempt.amount &&
  row.terms === (attempt.terms ?? 1) &&
  attempt.attemptDigests.some((digest) => row.attemptDigest?.equals(digest));
