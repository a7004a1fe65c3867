import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { listDeliveries as contract } from '@cobro/contracts/routes/webhook-endpoints.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { findEndpoint } from '../endpoints/endpoint.store.ts';
import { showDelivery } from './delivery.rules.ts';
import { listDeliveryLog, type LogPosition } from './delivery.store.ts';

/** GET /webhook-endpoint/{id}/delivery: newest first. Deliveries are kept as long as their events. */
export async function listDeliveries(
  { reads }: Deps,
  { caller, params, query }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { limit, cursor, status } = query;
  const after = cursor === undefined ? undefined : positionOf(cursor);
  const endpoint = await findEndpoint(reads, caller.organizationId, params.id);
  if (endpoint === undefined) throw new Refusal('WEBHOOK_ENDPOINT_NOT_FOUND');
  const rows = await reads.inTurn(caller.organizationId, () =>
    listDeliveryLog(reads, endpoint.id, { status, after, limit: limit + 1 }),
  );
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  const nextCursor = last === undefined ? null : `${last.createdAt.getTime()}.${last.id}`;
  return ok({ data: shown.map(showDelivery), pagination: { limit, hasMore: nextCursor !== null, nextCursor } });
}

/** Reads a cursor. It has no signature, because it reaches only the merchant's own deliveries. */
function positionOf(cursor: string): LogPosition {
  const [, ms, id] = /^(\d{13})\.([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/.exec(cursor) ?? [];
  if (ms === undefined || id === undefined) throw new Refusal('INVALID_CURSOR');
  return { createdAt: new Date(Number(ms)), id };
}
