import { dataOf } from '@cobro/contracts/events.ts';
import type { EventHandler } from '@cobro/events/inbox.ts';
import { recordMade } from './payment.store.ts';

export const onPaymentDeclined: EventHandler = async (tx, event) => {
  const data = dataOf('PaymentDeclined', event);
  recordMade(tx, data, { declinedAt: data.declinedAt });
};
