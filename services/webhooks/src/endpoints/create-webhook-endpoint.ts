import { newId } from '@cobro/contracts/ids.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { createWebhookEndpoint as contract } from '@cobro/contracts/routes/webhook-endpoints.ts';
import { seal } from '@cobro/service-kit/seal.ts';
import type { Deps } from '../deps.ts';
import { refuseInnerAddress } from './allowed-url.ts';
import { showEndpoint } from './endpoint.rules.ts';
import { insertEndpoint, isMadeSince, lockEndpointsOf } from './endpoint.store.ts';
import { newWebhookSecret } from './webhook-secret.ts';

const MOST = 20;
const TWICE_MS = 60_000;

/** POST /webhook-endpoint */
export async function createWebhookEndpoint(
  deps: Deps,
  { caller, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { url, types, description } = readBody();
  await refuseInnerAddress(deps, url);
  const secret = newWebhookSecret();
  const createdAt = deps.clock.now();
  const id = newId(createdAt.getTime());
  const sealedSecret = seal(deps.secretKeys, id, secret);
  const { organizationId } = caller;
  const made = { id, organizationId, url, types, description: description ?? null, sealedSecret, createdAt };
  const row = await deps.db.inTransaction(async (tx) => {
    lockEndpointsOf(tx, organizationId);
    // The dashboard's form sends no id that would identify a second click.
    const isTwice =
      caller.by.kind === 'person' && (await isMadeSince(tx, made, new Date(createdAt.getTime() - TWICE_MS)));
    if (isTwice) throw new Refusal('WEBHOOK_ENDPOINT_MADE_BEFORE');
    return insertEndpoint(tx, made, MOST);
  });
  if (row === undefined) throw new Refusal('TOO_MANY_WEBHOOK_ENDPOINTS');
  return { status: 201, body: { ...showEndpoint(row), secret: secret.reveal() } };
}
