import type { Semaphore } from '@cobro/async/semaphore.ts';
import { outwardId, type OutwardType } from '@cobro/contracts/outward-events.ts';
import type { Tx } from '@cobro/postgres/database.ts';
import type { Deps } from '../deps.ts';
import type { EndpointRow } from '../endpoints/endpoint.row.ts';
import { afterTries, showEndpoint } from '../endpoints/endpoint.rules.ts';
import { changeEndpoint, lockEndpoint, notingDelivery } from '../endpoints/endpoint.store.ts';
import { insertingEvents } from '../events/event.store.ts';
import { cleaned, isGone, isSuccess, nextTry } from './delivery.rules.ts';
import { dropDeliveries, type DueDelivery, findDue, releaseWaiting, settlingTry } from './delivery.store.ts';
import { sendDelivery, type Tried } from './send-delivery.ts';

/** The most requests at once to one endpoint. While it fails it gets one, because it may be overloaded. */
const AT_ONCE = 5;
const RELEASED_TOGETHER = 500;

interface Bounds {
  permits: Semaphore;
  /** The number by which this process holds the endpoint. */
  sender: number;
  /** Aborted when another process may take the endpoint. Then nothing more is sent, and requests under way are given up. */
  until: AbortSignal;
}

/** Sends some due deliveries. Returns the endpoint if more may be due, 'given up' if the lease has ended already, else undefined. */
export async function sendDue(
  deps: Deps,
  endpoint: EndpointRow,
  { permits, sender, until }: Bounds,
): Promise<EndpointRow | 'given up' | undefined> {
  const current = await releaseRecovered(deps, endpoint);
  if (current === undefined) return undefined;
  const most = current.failingSince === null ? AT_ONCE : 1;
  const found = await findDue(deps.db, current.id, deps.clock.now(), most);
  const lost = found.filter(({ event, sample }) => event === null && sample === null);
  if (lost.length > 0)
    await dropDeliveries(
      deps.db,
      lost.map(({ id }) => id),
    );
  const due = found.filter((delivery) => !lost.includes(delivery));
  if (due.length === 0) return lost.length > 0 ? current : undefined;
  const isLast = found.length === 1 && current.failingSince === null && current.recoveredAt === null;
  const trying = due.map((delivery) =>
    permits.run(
      () => tryOnce(deps, current, delivery, { until, givenUpBy: isLast ? sender : null }),
      current.organizationId,
    ),
  );
  // If one of them cannot be written down, the endpoint stays ours until the others have ended.
  await Promise.allSettled(trying);
  const tries = await Promise.all(trying);
  if (tries.some(({ isGivenUp }) => isGivenUp)) return 'given up';
  if (until.aborted) return undefined;
  const delivered = tries.some(({ tried }) => 'status' in tried && isSuccess(tried.status));
  const gone = tries.some(({ tried }) => 'status' in tried && isGone(tried.status));
  const after = await noteTries(deps, current, { delivered, gone });
  if (after?.status !== 'ENABLED' || after.failingSince !== null) return undefined;
  return found.length === most || after.recoveredAt !== null ? after : undefined;
}

/** Makes deliveries that failed before the endpoint worked again due at once, some at a time. Undefined if it was deleted meanwhile. */
async function releaseRecovered({ db }: Deps, endpoint: EndpointRow): Promise<EndpointRow | undefined> {
  if (endpoint.recoveredAt === null) return endpoint;
  const released = await releaseWaiting(db, endpoint.id, endpoint.recoveredAt, RELEASED_TOGETHER);
  return released > 0 ? endpoint : changeEndpoint(db, endpoint.id, { recoveredAt: null });
}

/** With the last due delivery, one transaction also notes it at the endpoint and ends the lease, because mostly none follows. */
async function tryOnce(
  deps: Deps,
  endpoint: EndpointRow,
  delivery: DueDelivery,
  { until, givenUpBy }: { until: AbortSignal; givenUpBy: number | null },
): Promise<{ tried: Tried; isGivenUp: boolean }> {
  const tried = await sendDelivery(deps, endpoint, delivery, until);
  if (until.aborted && 'error' in tried) return { tried, isGivenUp: false };
  const now = deps.clock.now();
  const attempts = delivery.attempts + 1;
  const answered = 'status' in tried;
  const isDelivered = answered && isSuccess(tried.status);
  const retryAfter = answered ? tried.retryAfter : undefined;
  const settled = settlingTry(delivery, {
    status: isDelivered ? 'DELIVERED' : 'PENDING',
    attempts,
    lastAttemptAt: now,
    nextAttemptAt: isDelivered ? now : nextTry(now, attempts, Math.random(), retryAfter),
    responseStatus: answered ? tried.status : null,
    responseBody: answered ? cleaned(tried.text) : null,
    error: answered ? null : tried.error,
  });
  const isLast = isDelivered && givenUpBy !== null;
  const noted = isLast
    ? await deps.db.inSharedTransaction(endpoint.id, settled, notingDelivery(endpoint.id, now, givenUpBy))
    : await deps.db.inSharedTransaction(delivery.id, settled);
  deps.countDelivery(isDelivered ? 'delivered' : answered ? 'refused' : 'failed');
  return { tried, isGivenUp: isLast && noted.length > 0 };
}

/** Undefined if the endpoint was deleted meanwhile. Its merchant's changes stay. */
async function noteTries(
  deps: Deps,
  { id, organizationId, failingSince }: EndpointRow,
  outcome: { delivered: boolean; gone: boolean },
): Promise<EndpointRow | undefined> {
  if (outcome.delivered && !outcome.gone && failingSince === null) {
    const [noted] = await deps.db.inSharedTransaction<EndpointRow>(id, notingDelivery(id, deps.clock.now(), null));
    if (noted !== undefined) return noted;
  }
  return deps.db.inTransaction(async (tx) => {
    const row = await lockEndpoint(tx, organizationId, id);
    if (row?.status !== 'ENABLED') return row;
    const now = deps.clock.now();
    const changed = await changeEndpoint(tx, id, afterTries(row, outcome, now));
    if (changed?.status === 'PAUSED') keepEndpointEvent(tx, changed, 'webhook_endpoint.paused', now);
    if (changed?.status === 'DISABLED') keepEndpointEvent(tx, changed, 'webhook_endpoint.disabled', now);
    return changed;
  });
}

function keepEndpointEvent(tx: Tx, row: EndpointRow, type: OutwardType, createdAt: Date): void {
  const { id: objectId, organizationId } = row;
  const id = outwardId(objectId, type, createdAt.getTime());
  tx.send(insertingEvents([{ id, organizationId, type, objectId, createdAt, data: showEndpoint(row) }], createdAt));
}
