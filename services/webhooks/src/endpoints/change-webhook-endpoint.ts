import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { changeWebhookEndpoint as contract } from '@cobro/contracts/routes/webhook-endpoints.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { refuseInnerAddress } from './allowed-url.ts';
import type { EndpointRow } from './endpoint.row.ts';
import { showEndpoint } from './endpoint.rules.ts';
import { changeEndpoint, findEndpoint, lockEndpoint } from './endpoint.store.ts';

/** PATCH /webhook-endpoint/{id}. An endpoint that is enabled again gets what waits for it, oldest first. */
export async function changeWebhookEndpoint(
  deps: Deps,
  { caller, params, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { organizationId } = caller;
  if ((await findEndpoint(deps.db, organizationId, params.id)) === undefined) {
    throw new Refusal('WEBHOOK_ENDPOINT_NOT_FOUND');
  }
  const { url, types, description, status } = readBody();
  if (url !== undefined) await refuseInnerAddress(deps, url);
  const row = await deps.db.inTransaction(async (tx) => {
    const was = await lockEndpoint(tx, organizationId, params.id);
    if (was === undefined) throw new Refusal('WEBHOOK_ENDPOINT_NOT_FOUND');
    const isEnabledAgain = status === 'ENABLED' && was.status !== 'ENABLED';
    const changes: Partial<EndpointRow> = {
      ...(url !== undefined && { url }),
      ...(types !== undefined && { types }),
      ...(description !== undefined && { description }),
      ...(status !== undefined && { status }),
      ...(isEnabledAgain && { failingSince: null, recoveredAt: deps.clock.now() }),
    };
    return (Object.keys(changes).length > 0 && (await changeEndpoint(tx, was.id, changes))) || was;
  });
  deps.due.wake();
  return ok(showEndpoint(row));
}
