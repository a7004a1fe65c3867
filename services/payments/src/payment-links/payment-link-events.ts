import { type Envelope, newEvent } from '@cobro/contracts/events.ts';
import type { PaymentLinkRow } from './payment-link.row.ts';
import { showPaymentLink } from './payment-link.rules.ts';

/** Shows the link as it was when last published as sold out. The event's schema drops its page's address. */
export function linkSoldOut(row: PaymentLinkRow): Envelope {
  const { id, organizationId, soldOutAnnounced: maxPayments, soldOutAt, version } = row;
  if (maxPayments === null || soldOutAt === null) throw new Error(`payment link ${id} has never been sold out`);
  const link = { ...showPaymentLink(row, ''), status: 'SOLD_OUT' as const, maxPayments, paymentsCount: maxPayments };
  const data = { paymentLinkId: id, organizationId, maxPayments, soldOutAt, link };
  return newEvent('PaymentLinkSoldOut', { subject: id, sequence: version, time: soldOutAt, data });
}
