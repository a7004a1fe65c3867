import { type Approved, type Declined, notProcessed, transactionOf } from '@cobro/bank/bank.ts';
import type { BankTransaction, Envelope, PaymentFacts } from '@cobro/contracts/events.ts';
import { newEvent, readTransaction } from '@cobro/contracts/events.ts';
import type { PaymentRow } from './payment.row.ts';

function factsOf(row: PaymentRow, transaction: BankTransaction): PaymentFacts {
  return {
    paymentId: row.id,
    organizationId: row.organizationId,
    type: row.type,
    source: row.source,
    amount: row.amount,
    currency: row.currency,
    description: row.description,
    externalId: row.externalId,
    createdAt: row.createdAt,
    operationCode: row.operationCode,
    terms: row.terms,
    rates: row.rates,
    card: row.card,
    billing: row.billing,
    paymentMethodId: row.paymentMethodId,
    oneTimePaymentId: row.oneTimePaymentId,
    paymentIntentId: row.paymentIntentId,
    terminalId: row.terminalId,
    salespersonId: row.salespersonId,
    branchId: row.branchId,
    transaction,
  };
}

const about = (row: PaymentRow, time: Date) => ({ subject: row.id, sequence: row.version, time });

export function paymentConfirmed(row: PaymentRow, answer: Approved): Envelope {
  const data = { ...factsOf(row, transactionOf(answer)), confirmedAt: answer.time };
  return newEvent('PaymentConfirmed', { ...about(row, answer.time), data });
}

export function paymentDeclined(row: PaymentRow, answer: Declined): Envelope {
  const data = {
    ...factsOf(row, transactionOf(answer)),
    declinedAt: answer.time,
    declineCode: answer.declineCode,
  };
  return newEvent('PaymentDeclined', { ...about(row, answer.time), data });
}

/** For an attempt that the bank had never seen. Readers see it as declined, with declineCode `not_processed`. */
export const paymentNotProcessed = (row: PaymentRow, now: Date): Envelope => paymentNotSent(row, 'not_processed', now);

/** For an attempt that ended without the bank. Readers see it as declined, with this declineCode. */
export function paymentNotSent(row: PaymentRow, declineCode: string, now: Date): Envelope {
  const data = { ...factsOf(row, notProcessed(now)), declinedAt: now, declineCode };
  return newEvent('PaymentDeclined', { ...about(row, now), data });
}

/** Built from the row alone, so that payments can tell it again when holds asks. */
export function holdPlaced(row: PaymentRow): Envelope {
  if (row.heldAt === null || row.bankTransaction === null || row.heldAmount === null) throw new Error('never held');
  const data = { ...factsOf(row, readTransaction(row.bankTransaction)), amount: row.heldAmount, heldAt: row.heldAt };
  return newEvent('HoldPlaced', { ...about(row, row.heldAt), data });
}

export function paymentRefunded(row: PaymentRow, answer: Approved, reason: string | null): Envelope {
  const data = {
    paymentId: row.id,
    organizationId: row.organizationId,
    paymentIntentId: row.paymentIntentId,
    amount: row.amount,
    refundedAt: answer.time,
    reason,
    transaction: transactionOf(answer),
  };
  return newEvent('PaymentRefunded', { ...about(row, answer.time), data });
}
