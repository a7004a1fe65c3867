import { intentAnswer } from '@cobro/contracts/intent-questions.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { refundPaymentIntent as contract } from '@cobro/contracts/routes/payment-intents.ts';
import { NEEDED_ANSWER_MS } from '@cobro/service-kit/service-client.ts';
import type { Deps } from '../deps.ts';
import { findPaymentOfIntent } from '../payments/payment.store.ts';
import { refund } from '../payments/refund.ts';

/** POST /payment-intent/{id}/refund: always in full. The intent stays CONFIRMED; its payment becomes REFUNDED. */
export async function refundPaymentIntent(
  deps: Deps,
  { caller, params, deadline, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { organizationId } = caller;
  const payment = await findPaymentOfIntent(deps.db, organizationId, params.id);
  if (payment === undefined) await requireIntent(deps, { id: params.id, organizationId, deadline });
  const { reason } = readBody();
  if (payment === undefined) throw new Refusal('PAYMENT_NOT_REFUNDABLE');
  return refund(deps, payment, {
    reason,
    askedBy: caller.by,
    deadline,
    location: `/api/payment-intent/${params.id}`,
  });
}

/** Only intents knows of an intent that nobody has paid. @throws Refusal 404 */
async function requireIntent(
  deps: Deps,
  asked: { id: string; organizationId: string; deadline: number },
): Promise<void> {
  const path = `/internal/payment-intents/${asked.id}?organizationId=${asked.organizationId}`;
  const { known } = intentAnswer.parse(await deps.intents.get(path, asked.deadline, NEEDED_ANSWER_MS));
  if (!known) throw new Refusal('PAYMENT_INTENT_NOT_FOUND');
}
