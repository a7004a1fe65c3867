import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { resendDelivery as contract } from '@cobro/contracts/routes/webhook-endpoints.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { findEndpoint } from '../endpoints/endpoint.store.ts';
import { showDelivery } from './delivery.rules.ts';
import { findDelivery, sendAgain } from './delivery.store.ts';

/** POST /webhook-endpoint/{id}/delivery/{deliveryId}/resend: also for a delivery that was delivered. */
export async function resendDelivery(
  { db, clock, due }: Deps,
  { caller, params, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const endpoint = await findEndpoint(db, caller.organizationId, params.id);
  if (endpoint === undefined) throw new Refusal('WEBHOOK_ENDPOINT_NOT_FOUND');
  const found = await findDelivery(db, endpoint.id, params.deliveryId);
  if (found === undefined) throw new Refusal('WEBHOOK_DELIVERY_NOT_FOUND');
  readBody();
  const row = await sendAgain(db, found.id, clock.now());
  if (row === undefined) throw new Refusal('WEBHOOK_DELIVERY_NOT_FOUND');
  due.wake();
  return ok(showDelivery(row));
}
