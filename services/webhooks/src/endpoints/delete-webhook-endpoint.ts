import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { deleteWebhookEndpoint as contract } from '@cobro/contracts/routes/webhook-endpoints.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { deleteDeliveries } from '../deliveries/delivery.store.ts';
import { changeEndpoint, deleteEndpoint, findEndpoint } from './endpoint.store.ts';

/** DELETE /webhook-endpoint/{id}: deletes its waiting deliveries and its log too. */
export async function deleteWebhookEndpoint(
  { db }: Deps,
  { caller, params }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { organizationId } = caller;
  const found = await findEndpoint(db, organizationId, params.id);
  if (found === undefined) throw new Refusal('WEBHOOK_ENDPOINT_NOT_FOUND');
  // It gets nothing new while its log, which may be long, is deleted.
  await changeEndpoint(db, found.id, { status: 'DISABLED' });
  while ((await deleteDeliveries(db, found.id)) > 0);
  await deleteEndpoint(db, organizationId, found.id);
  return ok({ success: true });
}
