import { type Envelope, newEvent } from '@cobro/contracts/events.ts';
import type { Deps } from '../deps.ts';
import type { OneTimePaymentRow } from './one-time-payment.row.ts';
import { type Announced, lockEndedLinks, noteAnnounced } from './one-time-payment.store.ts';

/**
 * Longer than a request may take: a payment that was begun in time could still confirm the link, and what has been announced is never
 * taken back.
 */
const AFTER_EXPIRY_MS = 30_000;
const BATCH = 100;

/** Publishes once how each link ended: paid, cancelled, or expired unpaid. One that was cancelled after it had expired has both. */
export function announceLinks({ db, outbox, clock }: Deps): Promise<number> {
  const now = clock.now();
  return db.inTransaction(async (tx) => {
    const links = await lockEndedLinks(tx, new Date(now.getTime() - AFTER_EXPIRY_MS), BATCH);
    for (const link of links) outbox.append(tx, linkEnded(link));
    for (const end of ['PAID', 'CANCELLED', 'EXPIRED'] as const) {
      const ids = links.filter((link) => endOf(link) === end).map(({ id }) => id);
      if (ids.length > 0) noteAnnounced(tx, ids, end);
    }
    return links.length;
  });
}

const endOf = ({ status }: OneTimePaymentRow): Announced =>
  status === 'PENDING' ? 'EXPIRED' : status === 'CONFIRMED' ? 'PAID' : 'CANCELLED';

const typeOf = {
  PAID: 'OneTimePaymentPaid',
  CANCELLED: 'OneTimePaymentCancelled',
  EXPIRED: 'OneTimePaymentExpired',
} as const;

function linkEnded(row: OneTimePaymentRow): Envelope {
  const end = endOf(row);
  const endedAt = end === 'EXPIRED' ? row.expiresAt : row.updatedAt;
  const { id, organizationId, amount, currency, description, externalId, expiresAt, createdAt } = row;
  const { redirectUrl, homepageUrl, allowedTerms, billing, version } = row;
  const terms = { redirectUrl, homepageUrl, allowedTerms, billing };
  const shown = { amount, currency, description, externalId, expiresAt, createdAt, endedAt, ...terms };
  const data = { oneTimePaymentId: id, organizationId, ...shown };
  return newEvent(typeOf[end], { subject: id, sequence: version, time: endedAt, data });
}
