import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Answer } from '@cobro/service-kit/handle.ts';
import { showPayment } from './payment.rules.ts';
import type { PaymentRow } from './payment.rules.ts';

const REPLAYED = { 'Idempotent-Replayed': 'true' };

/** A charge's answer by what became of it: 201, 202 while the bank's answer is unknown, 402 where it declined. */
export function answerCharge(row: PaymentRow, now: Date, replayed = false): Answer {
  const headers = replayed ? REPLAYED : {};
  if (row.status === 'CANCELLED') {
    const fields = { declineCode: row.declineCode ?? 'unknown', paymentId: row.id };
    throw new Refusal('CHARGE_DECLINED', { fields, headers });
  }
  const body = showPayment(row, now);
  if (row.status === 'PENDING') return { status: 202, body, headers: { ...headers, ...comeBack(row) } };
  return { status: 201, body, headers };
}

/** Headers of a 202: when and where to look again. */
export const comeBack = (row: PaymentRow) => ({
  'Retry-After': '1',
  Location: `/api/payment-method/${row.paymentMethodId}/payment/${row.id}`,
});

export const bankUnavailable = () => new Refusal('BANK_UNAVAILABLE', { headers: { 'Retry-After': '1' } });
