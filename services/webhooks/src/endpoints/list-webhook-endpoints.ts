import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { listWebhookEndpoints as contract } from '@cobro/contracts/routes/webhook-endpoints.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { showEndpoint } from './endpoint.rules.ts';
import { listEndpoints } from './endpoint.store.ts';

/** GET /webhook-endpoint. A merchant has few, so all are read. */
export async function listWebhookEndpoints(
  { reads }: Deps,
  { caller, query: { page, pageSize } }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const rows = await listEndpoints(reads, caller.organizationId);
  const items = rows.slice((page - 1) * pageSize, page * pageSize).map(showEndpoint);
  return ok({ count: rows.length, page, pageSize, items });
}
