import type { Handler } from '@cobro/events/event-handlers.ts';
import { recordRefunded } from './payment.store.ts';

export const onPaymentRefunded: Handler<'PaymentRefunded'> = (tx, { paymentId, organizationId, refundedAt }) => {
  recordRefunded(tx, { id: paymentId, organizationId, refundedAt });
};
