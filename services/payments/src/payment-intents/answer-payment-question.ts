import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { askForPaymentOfIntent as contract } from '@cobro/contracts/routes/internal.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { findLatestOfIntent } from '../payments/payment.store.ts';

/** GET /internal/payment-intents/{id}/payment: what a cashier reads of an intent besides its state. */
export async function answerPaymentQuestion(
  deps: Deps,
  { params }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const row = await findLatestOfIntent(deps.db, params.id);
  if (row === undefined) return ok({ payment: null });
  const { id, status, operationCode } = row;
  return ok({ payment: { id, status, operationCode: Number(operationCode) } });
}
