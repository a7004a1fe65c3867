import { dataOf } from '@cobro/contracts/events.ts';
import type { EventHandler } from '@cobro/events/inbox.ts';
import { recordRefunded } from './payment.store.ts';

export const onPaymentRefunded: EventHandler = async (tx, event) => {
  const { paymentId, organizationId, refundedAt } = dataOf('PaymentRefunded', event);
  recordRefunded(tx, { paymentId, organizationId, at: refundedAt });
};
