import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { declinePaymentIntent as contract } from '@cobro/contracts/routes/payment-intents.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { intentCancelled } from '../intents/intent-events.ts';
import { cancelRefusal } from '../intents/payment-intent.rules.ts';
import { cancelIntent, lockIntent } from '../intents/payment-intent.store.ts';

/** POST /terminal/v1/payment-intent/{id}/decline: of an intent that this terminal has. The intent is CANCELLED. */
export async function declinePaymentIntent(
  deps: Deps,
  { caller, params, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  await deps.db.inTransaction(async (tx) => {
    const intent = await lockIntent(tx, caller.organizationId, params.id);
    if (intent?.terminalId !== caller.terminalId) throw new Refusal('PAYMENT_INTENT_NOT_FOUND');
    const { reason } = readBody();
    if (intent.status === 'CANCELLED') return;
    const refused = cancelRefusal(intent);
    if (refused !== undefined) throw new Refusal(refused);
    const row = await cancelIntent(tx, intent.id, deps.clock.now());
    deps.outbox.append(tx, intentCancelled(row, { by: 'TERMINAL', reason: reason ?? null }));
  });
  return ok({});
}
