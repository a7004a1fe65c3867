import type { Handler } from '@cobro/events/event-handlers.ts';
import { recordMade } from './payment.store.ts';

export const onPaymentDeclined: Handler<'PaymentDeclined'> = (tx, data) => {
  recordMade(tx, data, { declinedAt: data.declinedAt, declineCode: data.declineCode });
};
