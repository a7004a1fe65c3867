import { pesosOf } from '@cobro/contracts/amount.ts';
import {
  ALLOWED_TERMS_RULE,
  EXPIRES_AT_RULE,
  MOST_DAYS,
  type OneTimePayment,
  type PublicCheckoutView,
} from '@cobro/contracts/one-time-payments.ts';
import { refuseField } from '@cobro/contracts/validation.ts';
import type { OrganizationRow } from '../organizations/organization.row.ts';
import type { OneTimePaymentRow } from './one-time-payment.row.ts';

const DAY_MS = 86_400_000;

/** Depends on the clock only, not on the status. */
export const hasExpired = ({ expiresAt }: OneTimePaymentRow, now: Date): boolean => now >= expiresAt;

/** When the link expires: a day from now if nothing was asked. @throws Refusal 400 */
export function expiryOf(asked: Date | undefined, now: Date): Date {
  if (asked === undefined) return new Date(now.getTime() + DAY_MS);
  const latest = new Date(now.getTime() + MOST_DAYS * DAY_MS);
  if (asked > now && asked <= latest) return asked;
  throw refuseField('expiresAt', EXPIRES_AT_RULE);
}

/** @throws Refusal 400 if the link does not allow these terms */
export function refuseTerms({ allowedTerms }: OneTimePaymentRow, terms: number): void {
  if (allowedTerms.some((allowed) => allowed === terms)) return;
  throw refuseField('terms', `${ALLOWED_TERMS_RULE}: ${allowedTerms.join(', ')}`);
}

/** Why the link cannot be paid now; undefined if it can. `open`: an attempt has no outcome yet. */
export function paymentRefusal(link: OneTimePaymentRow, open: boolean, now: Date) {
  if (link.status !== 'PENDING') return 'ONE_TIME_PAYMENT_NOT_PENDING';
  if (open) return 'PAYMENT_IN_PROGRESS';
  return hasExpired(link, now) ? 'ONE_TIME_PAYMENT_EXPIRED' : undefined;
}

/** The page on which the link is paid. */
export const checkoutUrlOf = (checkoutBaseUrl: string, { id }: Pick<OneTimePaymentRow, 'id'>): string =>
  `${checkoutBaseUrl}/checkout/${id}`;

/** The link as its merchant sees it. */
export function showOneTimePayment(row: OneTimePaymentRow): OneTimePayment {
  const { id, status, description, amount, currency, externalId, redirectUrl, homepageUrl, allowedTerms, billing } =
    row;
  return {
    id,
    status,
    description,
    amount: pesosOf(amount),
    currency,
    externalId,
    expiresAt: row.expiresAt.toISOString(),
    redirectUrl,
    homepageUrl,
    allowedTerms,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    billingInformation: billing && {
      ...billing,
      address: billing.address ?? { addressLine: null, city: null, state: null, zip: null },
    },
  };
}

/** The link as anybody who holds its id may see it: never with its payer. */
export function showPublicly(link: OneTimePaymentRow, organization: OrganizationRow, now: Date): PublicCheckoutView {
  const { id, status, homepageUrl } = link;
  const shown = { name: organization.name, business: { websiteURL: organization.websiteUrl } };
  const expired = hasExpired(link, now);
  if (status !== 'PENDING' || expired) return { id, status, expired, homepageUrl, organization: shown };
  return {
    id,
    status,
    expired,
    amount: pesosOf(link.amount),
    currency: link.currency,
    expiresAt: link.expiresAt.toISOString(),
    homepageUrl,
    organization: shown,
  };
}
