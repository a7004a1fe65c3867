import { intentPaymentAnswer } from '@cobro/contracts/intent-questions.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { getPaymentIntent as contract } from '@cobro/contracts/routes/payment-intents.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import type { PaymentIntentRow } from './payment-intent.row.ts';
import { isExpired, ownCopyOfPayment } from './payment-intent.rules.ts';
import { findIntent } from './payment-intent.store.ts';

/** GET /payment-intent/{id}: its state and its latest payment, read from payments, or from our copy while payments is away. */
export async function getPaymentIntent(
  deps: Deps,
  { caller, params, deadline }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const row = await findIntent(deps.db, caller.organizationId, params.id);
  if (row === undefined) throw new Refusal('PAYMENT_INTENT_NOT_FOUND');
  const paymentSummary = await latestPayment(deps, row, deadline);
  const { id, status } = row;
  const state = { id, status, expired: isExpired(row, deps.clock.now()) };
  return ok(paymentSummary === undefined ? state : { ...state, paymentSummary });
}

async function latestPayment(deps: Deps, row: PaymentIntentRow, deadline: number) {
  // No card was ever presented for it, so payments knows nothing of it.
  if (row.paymentId === null && row.chargingPaymentId === null) return undefined;
  try {
    const path = `/internal/payment-intents/${row.id}/payment`;
    const { payment } = intentPaymentAnswer.parse(await deps.payments.get(path, deadline));
    if (payment !== null) return payment;
  } catch (error) {
    deps.log.warn({ error, event: 'payments_away' }, 'an intent is shown with our copy of its payment');
  }
  return ownCopyOfPayment(row) ?? undefined;
}
