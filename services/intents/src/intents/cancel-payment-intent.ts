import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { cancelPaymentIntent as contract } from '@cobro/contracts/routes/payment-intents.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { cancelLockedIntent } from './cancel-locked-intent.ts';
import { lockIntent } from './payment-intent.store.ts';

/** POST /payment-intent/{id}/cancel: cancels a PENDING intent, expired or not, but never while a card is being charged for it. */
export async function cancelPaymentIntent(
  deps: Deps,
  { caller, params, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  await deps.db.inTransaction(async (tx) => {
    const intent = await lockIntent(tx, caller.organizationId, params.id);
    if (intent === undefined) throw new Refusal('PAYMENT_INTENT_NOT_FOUND');
    readBody();
    await cancelLockedIntent(deps, tx, intent, { by: 'MERCHANT' });
  });
  return ok({});
}
