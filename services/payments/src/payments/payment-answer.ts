import { Refusal } from '@cobro/contracts/refusals.ts';
import { accepted, type Answer } from '@cobro/service-kit/handle.ts';
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
  const answer: Answer = row.status === 'PENDING' ? acceptedPayment(row, body) : { status: 201, body };
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

export const acceptedPayment = (row: PaymentRow, body: unknown): Answer =>
  accepted(body, `/api/payment-method/${row.paymentMethodId}/payment/${row.id}`);
