import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { getWebhookEndpoint as contract } from '@cobro/contracts/routes/webhook-endpoints.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { showEndpoint } from './endpoint.rules.ts';
import { findEndpoint } from './endpoint.store.ts';

/** GET /webhook-endpoint/{id} */
export async function getWebhookEndpoint(
  { reads }: Deps,
  { caller, params }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const row = await findEndpoint(reads, caller.organizationId, params.id);
  if (row === undefined) throw new Refusal('WEBHOOK_ENDPOINT_NOT_FOUND');
  return ok(showEndpoint(row));
}
