import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { declinePaymentIntent as contract } from '@cobro/contracts/routes/payment-intents.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { cancelLockedIntent } from '../intents/cancel-locked-intent.ts';
import { lockIntent } from '../intents/payment-intent.store.ts';

/** POST /terminal/v1/payment-intent/{id}/decline: turns down this terminal's intent, which is then CANCELLED. */
export async function declinePaymentIntent(
  deps: Deps,
  { caller, params, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  await deps.db.inTransaction(async (tx) => {
    const intent = await lockIntent(tx, caller.organizationId, params.id);
    if (intent?.terminalId !== caller.terminalId) throw new Refusal('PAYMENT_INTENT_NOT_FOUND');
    const { reason } = readBody();
    await cancelLockedIntent(deps, tx, intent, { by: 'TERMINAL', reason: reason ?? null });
  });
  return ok({});
}
