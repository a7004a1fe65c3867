import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { turnWebhookSecret as contract } from '@cobro/contracts/routes/webhook-endpoints.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import { seal } from '@cobro/service-kit/seal.ts';
import type { Deps } from '../deps.ts';
import { changeEndpoint, lockEndpoint } from './endpoint.store.ts';
import { newWebhookSecret } from './webhook-secret.ts';

/** POST /webhook-endpoint/{id}/secret */
export async function turnWebhookSecret(
  deps: Deps,
  { caller, params, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const secret = newWebhookSecret();
  await deps.db.inTransaction(async (tx) => {
    const row = await lockEndpoint(tx, caller.organizationId, params.id);
    if (row === undefined) throw new Refusal('WEBHOOK_ENDPOINT_NOT_FOUND');
    const { oldLivesForSeconds = 0 } = readBody();
    const lives = oldLivesForSeconds > 0;
    // Only one old secret is kept, and the receiver may still have only that one.
    const isTurning = row.oldSecretUntil !== null && row.oldSecretUntil.getTime() > Date.now();
    if (lives && isTurning) throw new Refusal('WEBHOOK_SECRET_TURNING');
    await changeEndpoint(tx, row.id, {
      sealedSecret: seal(deps.secretKeys, row.id, secret),
      sealedOldSecret: lives ? row.sealedSecret : null,
      // Real time, like the time in the signature.
      oldSecretUntil: lives ? new Date(Date.now() + oldLivesForSeconds * 1_000) : null,
    });
  });
  return ok({ secret: secret.reveal() });
}
