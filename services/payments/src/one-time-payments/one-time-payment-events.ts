import { type Envelope, newEvent } from '@cobro/contracts/events.ts';
import type { OneTimePaymentRow } from './one-time-payment.row.ts';
import type { Announced } from './one-time-payment.store.ts';

/** Longer than a request may take: a payment begun in time may still confirm the link, and what was published is never taken back. */
const AFTER_EXPIRY_MS = 30_000;

/** Links that expired before this may be published as expired. */
export const expiredBefore = (now: Date): Date => new Date(now.getTime() - AFTER_EXPIRY_MS);

export const endOf = ({ status }: OneTimePaymentRow): Announced =>
  status === 'PENDING' ? 'EXPIRED' : status === 'CONFIRMED' ? 'PAID' : 'CANCELLED';

const typeOf = {
  PAID: 'OneTimePaymentPaid',
  CANCELLED: 'OneTimePaymentCancelled',
  EXPIRED: 'OneTimePaymentExpired',
} as const;

export function linkEnded(row: OneTimePaymentRow, end: Announced): Envelope {
  const endedAt = end === 'EXPIRED' ? row.expiresAt : row.updatedAt;
  const { id, organizationId, amount, currency, description, externalId, expiresAt, createdAt } = row;
  const { redirectUrl, homepageUrl, allowedTerms, billing, version } = row;
  const terms = { redirectUrl, homepageUrl, allowedTerms, billing };
  const shown = { amount, currency, description, externalId, expiresAt, createdAt, endedAt, ...terms };
  const data = { oneTimePaymentId: id, organizationId, ...shown };
  return newEvent(typeOf[end], { subject: id, sequence: version, time: endedAt, data });
}

/** Every end of a link whose last end was published. */
export function endsOfOneTimePayment(row: OneTimePaymentRow): Envelope[] {
  const end = endOf(row);
  const expiredFirst = end === 'CANCELLED' && row.expiresAt <= expiredBefore(row.updatedAt);
  return [...(expiredFirst ? [linkEnded(row, 'EXPIRED')] : []), linkEnded(row, end)];
}
