import { disburse } from '@cobro/domain/fees.ts';
import type { Handler } from '@cobro/events/event-handlers.ts';
import { recordMade } from './payment.store.ts';

export const onPaymentConfirmed: Handler<'PaymentConfirmed'> = (tx, data) => {
  const disbursement = data.rates === null ? undefined : disburse(data.amount, data.rates);
  recordMade(tx, data, { confirmedAt: data.confirmedAt, disbursement });
};
