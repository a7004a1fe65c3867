import { dataOf } from '@cobro/contracts/events.ts';
import { disburse } from '@cobro/domain/fees.ts';
import type { EventHandler } from '@cobro/events/inbox.ts';
import { recordMade } from './payment.store.ts';

export const onPaymentConfirmed: EventHandler = async (tx, event) => {
  const data = dataOf('PaymentConfirmed', event);
  const disbursement = data.rates === null ? undefined : disburse(data.amount, data.rates);
  recordMade(tx, data, { confirmedAt: data.confirmedAt, disbursement });
};
