import { newId } from '@cobro/contracts/ids.ts';
import { outwardEvents } from '@cobro/contracts/outward-events.ts';
import { sampleOf } from '@cobro/contracts/outward-samples.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { testWebhookEndpoint as contract } from '@cobro/contracts/routes/webhook-endpoints.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { findEndpoint } from '../endpoints/endpoint.store.ts';
import { showDelivery } from './delivery.rules.ts';
import { insertSample } from './delivery.store.ts';

/** POST /webhook-endpoint/{id}/test: sends a sample event about an object that does not exist. It is in no feed. */
export async function testWebhookEndpoint(
  { db, clock, due }: Deps,
  { caller, params, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { organizationId } = caller;
  const endpoint = await findEndpoint(db, organizationId, params.id);
  if (endpoint === undefined) throw new Refusal('WEBHOOK_ENDPOINT_NOT_FOUND');
  const { type } = readBody();
  const now = clock.now();
  const objectId = newId(now.getTime());
  const object = { type: outwardEvents[type].object, id: objectId };
  const data = sampleOf(type, objectId, now);
  const event = { id: newId(), type, createdAt: now.toISOString(), organizationId, object, data };
  const row = await insertSample(db, endpoint.id, event, now);
  if (row === undefined) throw new Refusal('WEBHOOK_ENDPOINT_NOT_FOUND');
  due.wake();
  return ok(showDelivery(row));
}
