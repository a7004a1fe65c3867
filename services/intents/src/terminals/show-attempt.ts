import { pesosOf } from '@cobro/contracts/amount.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf } from '@cobro/contracts/route.ts';
import type { payPaymentIntent as contract } from '@cobro/contracts/routes/payment-intents.ts';
import { accepted } from '@cobro/service-kit/answer.ts';
import type { PaymentIntentRow } from '../intents/payment-intent.row.ts';
import type { AttemptRow } from './attempt.row.ts';

/** The payment that paid an intent, as a terminal prints it. */
export function showPaid(intent: PaymentIntentRow, attempt: AttemptRow) {
  const { paymentId, operationCode, lastFourDigits, network } = attempt;
  if (paymentId === null || operationCode === null || lastFourDigits === null || network === null) {
    throw new Error('an attempt was confirmed without its payment');
  }
  const { id, currency } = intent;
  const payment = { paymentId, operationCode: Number(operationCode), amount: pesosOf(intent.amount), currency };
  return { id, status: 'CONFIRMED' as const, ...payment, card: { lastFourDigits, network } };
}

/** Answers an attempt by its outcome: 201, 202 while the outcome is unknown, 402 if it was declined. */
export function answerAttempt(
  intent: PaymentIntentRow,
  attempt: AttemptRow,
  headers: Record<string, string> = {},
): AnswerOf<typeof contract> {
  const { status, declineCode, paymentId } = attempt;
  if (status === 'DECLINED') {
    throw new Refusal('CHARGE_DECLINED', { fields: { declineCode: declineCode ?? 'unknown', paymentId }, headers });
  }
  if (status === 'CONFIRMED') return { status: 201, body: showPaid(intent, attempt), headers };
  const answer = accepted(
    { id: intent.id, status: 'PENDING' as const },
    `/api/terminal/v1/payment-intent/${intent.id}`,
  );
  return { ...answer, headers: { ...answer.headers, ...headers } };
}
