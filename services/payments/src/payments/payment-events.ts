import type { BankTransaction, DataOf, Envelope, PaymentFacts } from '@cobro/contracts/events.ts';
import { newEvent, readTransaction } from '@cobro/contracts/events.ts';
import { fieldsOf } from '@cobro/contracts/payment-fields.ts';
import type { PaymentRow } from './payment.row.ts';

const factsOf = (row: PaymentRow, transaction: BankTransaction): PaymentFacts => ({
  paymentId: row.id,
  organizationId: row.organizationId,
  ...fieldsOf(row),
  transaction,
});

const about = (row: PaymentRow, time: Date) => ({ subject: row.id, sequence: row.version, time });

// Each event is built from the row alone or nearly so, so that payments can publish it again if holds asks or reporting is rebuilt.

export function paymentConfirmed(row: PaymentRow): Envelope {
  const transaction = outcomeOf(row);
  const data = { ...factsOf(row, transaction), confirmedAt: transaction.createdAt };
  return newEvent('PaymentConfirmed', { ...about(row, transaction.createdAt), data });
}

/** Also for an attempt that the bank had never seen, or that ended without the bank: the row's declineCode says why. */
export function paymentDeclined(row: PaymentRow, transaction = outcomeOf(row)): Envelope {
  if (row.declineCode === null) throw new Error('never declined');
  const data = {
    ...factsOf(row, transaction),
    declinedAt: transaction.createdAt,
    declineCode: row.declineCode,
  };
  return newEvent('PaymentDeclined', { ...about(row, transaction.createdAt), data });
}

export function holdPlaced(row: PaymentRow): Envelope {
  if (row.heldAt === null || row.heldAmount === null) throw new Error('never held');
  const { heldAmount: amount, heldAt, captureBefore } = row;
  const data = { ...factsOf(row, outcomeOf(row)), amount, heldAt, captureBefore };
  return newEvent('HoldPlaced', { ...about(row, heldAt), data });
}

/** Only the bank's answer to the refund, and the merchant's reason, are not in the row. */
export function paymentRefunded(row: PaymentRow, transaction: BankTransaction, reason: string | null): Envelope {
  if (row.refundedAt === null) throw new Error('never refunded');
  const data = {
    paymentId: row.id,
    organizationId: row.organizationId,
    paymentIntentId: row.paymentIntentId,
    amount: row.amount,
    refundedAt: row.refundedAt,
    reason,
    transaction,
    payment: refundedPayment(row),
  };
  return newEvent('PaymentRefunded', { ...about(row, row.refundedAt), data });
}

const refundedPayment = (row: PaymentRow): DataOf<'PaymentRefunded'>['payment'] => ({
  ...fieldsOf(row),
  heldAmount: row.heldAmount,
  heldAt: row.heldAt,
  holdExpiresAt: row.holdExpiresAt,
  captureBefore: row.captureBefore,
  capturedAt: row.capturedAt,
  confirmedAt: row.heldAt === null ? outcomeOf(row).createdAt : null,
});

function outcomeOf({ bankTransaction }: PaymentRow): BankTransaction {
  if (bankTransaction === null) throw new Error('no outcome yet');
  return readTransaction(bankTransaction);
}
