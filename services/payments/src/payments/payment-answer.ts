import type { AnswerOf } from '@cobro/contracts/route.ts';
import type { chargePaymentMethod as contract } from '@cobro/contracts/routes/saved-card-payments.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { accepted } from '@cobro/service-kit/answer.ts';
import { showPayment } from './payment.rules.ts';
import type { PaymentRow } from './payment.row.ts';

const REPLAYED = { 'Idempotent-Replayed': 'true' };

/** Answers a charge by its outcome: 201, 202 while the bank's answer is unknown, 402 if the bank declined. */
export function answerCharge(row: PaymentRow, now: Date, replayed = false): AnswerOf<typeof contract> {
  const headers = replayed ? REPLAYED : {};
  if (row.status === 'CANCELLED') {
    const fields = { declineCode: row.declineCode ?? 'unknown', paymentId: row.id };
    throw new Refusal('CHARGE_DECLINED', { fields, headers });
  }
  const body = showPayment(row, now);
  if (row.status !== 'PENDING') return { status: 201, body, headers };
  const answer = accepted(body, locationOf(row));
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

/** The path at which a payment of a saved card is read. */
export const locationOf = (row: PaymentRow) => `/api/payment-method/${row.paymentMethodId}/payment/${row.id}`;
