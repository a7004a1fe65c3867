import { transactionOf } from '@cobro/bank/bank.ts';
import type { Ending, Operation, Settled } from '@cobro/bank/journal.ts';
import { sql, type Tx } from '@cobro/postgres/database.ts';
import { paymentRefunded } from './payment-events.ts';
import type { PaymentRow } from './payment.row.ts';
import { movePayment } from './payment.store.ts';

/** Only an approved refund changes the payment. After any other ending the payment stays CONFIRMED and can be refunded again. */
export async function settleRefund(tx: Tx, operation: Operation, ending: Ending): Promise<Settled<PaymentRow>> {
  if (ending.outcome !== 'approved') return { events: [] };
  const row = await movePayment(tx, operation.subjectId, 'REFUNDED', sql`, refunded_at = ${ending.time}`);
  if (row === undefined) throw new Error('a payment that is not confirmed was refunded');
  return { row, events: [paymentRefunded(row, transactionOf(ending), operation.note)] };
}
