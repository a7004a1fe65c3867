import type { TappedPaymentAnswer } from '@cobro/contracts/intent-questions.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { askForTappedPayment as contract } from '@cobro/contracts/routes/internal.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { paymentConfirmed, paymentDeclined } from '../payments/payment-events.ts';
import type { PaymentRow } from '../payments/payment.row.ts';
import { findPaymentsOfIds } from '../payments/payment.store.ts';

/** GET /internal/tapped-payments/{id}: intents asks if no outcome came. `unknown`: no such payment. */
export async function answerTappedPaymentQuestion(
  deps: Deps,
  { params }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const [row] = await findPaymentsOfIds(deps.db, [params.id]);
  return ok(answer(row));
}

function answer(row: PaymentRow | undefined): TappedPaymentAnswer {
  if (row === undefined) return { kind: 'unknown' };
  if (row.status === 'CANCELLED') return { kind: 'ended', event: paymentDeclined(row) };
  // A refund comes after the confirmation, and has its own event.
  const isPaid = row.status === 'CONFIRMED' || row.status === 'REFUNDED';
  return isPaid ? { kind: 'ended', event: paymentConfirmed(row) } : { kind: 'open' };
}
