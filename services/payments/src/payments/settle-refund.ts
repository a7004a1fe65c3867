import { transactionOf } from '@cobro/bank/bank.ts';
import type { Settler } from '@cobro/bank/journal.ts';
import { paymentRefunded } from './payment-events.ts';
import type { PaymentRow } from './payment.row.ts';
import { movePayment } from './payment.rules.ts';
import { paymentSubject } from './payment.store.ts';

/** Only an approved refund changes the payment. After any other ending the payment stays CONFIRMED and can be refunded again. */
export const settleRefund: Settler<PaymentRow> = {
  subject: paymentSubject,
  settle: (row, { note }, ending) => {
    if (ending.outcome !== 'approved') return { events: [] };
    const changes = movePayment(row, 'REFUNDED', { refundedAt: ending.time });
    return { changes, events: [paymentRefunded({ ...row, ...changes }, transactionOf(ending), note)] };
  },
};
