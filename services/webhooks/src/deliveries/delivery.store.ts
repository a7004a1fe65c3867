import type { OutwardEvent, OutwardType } from '@cobro/contracts/outward-events.ts';
import { type Queries, sql, type Sql } from '@cobro/postgres/database.ts';
import type { EventRow } from '../events/event.rules.ts';
import { type DeliveryRow, deliveryTable } from './delivery.row.ts';

const columns = deliveryTable.list;
const inserting = deliveryTable.insertingSelected(
  'endpointId',
  'eventId',
  'type',
  'sample',
  'createdAt',
  'nextAttemptAt',
);

/** A due delivery with its event. `event` is null for a sample, or if the event is no longer kept. */
export type DueDelivery = DeliveryRow & {
  event: (Omit<EventRow, 'position' | 'createdAt'> & { createdAt: string }) | null;
};

/** An endpoint's due deliveries, those due longest first. */
export const findDue = (queries: Queries, endpointId: string, now: Date, most: number) =>
  queries.many<DueDelivery>(sql`
    select due.*, case when event.id is not null then json_build_object(
      'id', event.id, 'organizationId', event.organization_id, 'type', event.type, 'objectId', event.object_id,
      'createdAt', event.created_at, 'data', event.data) end as event
    from (
      select ${columns} from delivery
      where endpoint_id = ${endpointId} and status = 'PENDING' and next_attempt_at <= ${now}
      order by next_attempt_at limit ${most}) as due
    left join event on event.id = due."eventId"
    order by due."nextAttemptAt"`);

/** Locks the endpoint, which may be deleted at this moment. */
const ofEndpoint = (id: string) => sql`from webhook_endpoint where id = ${id} for key share`;

/** Undefined if the endpoint is gone. */
export const insertSample = (queries: Queries, endpointId: string, event: OutwardEvent, now: Date) =>
  queries.maybe<DeliveryRow>(sql`
    insert into delivery ${inserting({
      endpointId,
      eventId: event.id,
      type: event.type,
      sample: event,
      createdAt: now,
      nextAttemptAt: now,
    })} ${ofEndpoint(endpointId)} returning ${columns}`);

type Tried = Pick<
  DeliveryRow,
  'status' | 'attempts' | 'lastAttemptAt' | 'nextAttemptAt' | 'responseStatus' | 'responseBody' | 'error'
>;

/** Writes down a try. If the merchant asked for a resend or a replay meanwhile, the delivery stays due for it. */
export const settlingTry = (delivery: DueDelivery, { status, nextAttemptAt, ...tried }: Tried): Sql => {
  const isAsRead = sql`next_attempt_at = ${delivery.nextAttemptAt}`;
  return sql`
    update delivery set ${deliveryTable.setting(tried)},
      status = case when ${isAsRead} then ${status} else status end,
      next_attempt_at = case when ${isAsRead} then ${nextAttemptAt} else next_attempt_at end
    where id = ${delivery.id}`;
};

/** Deletes deliveries whose event is no longer kept. */
export const dropDeliveries = (queries: Queries, ids: readonly string[]) =>
  queries.run(sql`delete from delivery where id = any(${ids}::uuid[])`);

/** Makes waiting deliveries that were tried before `recoveredAt` due at once, oldest first. Returns how many. */
export const releaseWaiting = (queries: Queries, endpointId: string, recoveredAt: Date, most: number) =>
  queries.run(sql`
    update delivery set next_attempt_at = least(created_at, ${recoveredAt})
    where id = any(array(
      select id from delivery
      where endpoint_id = ${endpointId} and status = 'PENDING' and next_attempt_at > ${recoveredAt}
        and last_attempt_at <= ${recoveredAt}
      order by next_attempt_at limit ${most}))`);

export const findDelivery = (queries: Queries, endpointId: string, id: string) =>
  queries.maybe<DeliveryRow>(sql`
    select ${columns} from delivery where id = ${id} and endpoint_id = ${endpointId}`);

/** Makes the delivery due now, even if it was delivered. */
export const sendAgain = (queries: Queries, id: string, now: Date) =>
  queries.maybe<DeliveryRow>(sql`
    update delivery set status = 'PENDING', next_attempt_at = ${now} where id = ${id} returning ${columns}`);

/**
 * Makes an organization's next events from `since` on due at the endpoint once more: `most` of them, and those of the same moment as
 * the last, because many cards expire at once. Returns the times of these events, or none if the endpoint is gone.
 */
export const sendEventsSince = (
  queries: Queries,
  to: { endpointId: string; organizationId: string },
  { since, types, now, most }: { since: Date; types: readonly OutwardType[]; now: Date; most: number },
) =>
  queries.many<{ createdAt: Date }>(sql`
    insert into delivery as was (endpoint_id, event_id, type, created_at, next_attempt_at)
    select endpoint.id, again.id, type, created_at, ${now}::timestamptz
    from (select id ${ofEndpoint(to.endpointId)}) as endpoint cross join (
      select id, type, created_at from event
      where organization_id = ${to.organizationId} and created_at >= ${since} and type = any(${types})
      order by created_at fetch first (${most}) rows with ties) as again
    on conflict (endpoint_id, event_id) do update set status = 'PENDING', next_attempt_at = ${now}
    returning created_at as "createdAt"`);

/** The last row that a walk through a log has read. */
export interface LogPosition {
  createdAt: Date;
  id: string;
}

export const listDeliveryLog = (
  queries: Queries,
  endpointId: string,
  filter: { status: DeliveryRow['status'] | undefined; after: LogPosition | undefined; limit: number },
) => {
  const { status, after, limit } = filter;
  const behind = after === undefined ? sql`` : sql`and (created_at, id) < (${after.createdAt}, ${after.id}::uuid)`;
  return queries.many<DeliveryRow>(sql`
    select ${columns} from delivery
    where endpoint_id = ${endpointId} and (${status ?? null}::text is null or status = ${status ?? null}) ${behind}
    order by created_at desc, id desc limit ${limit}`);
};

const BATCH = 2_000;

/** Deletes a batch of an endpoint's deliveries. Returns how many, 0 when none is left. */
export const deleteDeliveries = (queries: Queries, endpointId: string) =>
  queries.run(sql`
    delete from delivery where id = any(array(
      select id from delivery where endpoint_id = ${endpointId} limit ${BATCH}))`);

export const deleteOldestDeliveries = (queries: Queries, before: Date) =>
  queries.run(sql`
    delete from delivery where id = any(array(
      select id from delivery where created_at < ${before} order by created_at limit ${BATCH}))`);

/** Since when the oldest due delivery waits for its first try, over all enabled endpoints that are not failing. */
export const findLongestDue = (queries: Queries, now: Date) =>
  queries.one<{ oldest: Date | null }>(sql`
    select min(next_attempt_at) as oldest from webhook_endpoint as endpoint cross join lateral (
      select next_attempt_at from delivery
      where endpoint_id = endpoint.id and delivery.status = 'PENDING' and attempts = 0 and next_attempt_at <= ${now}
      order by next_attempt_at limit 1) as due
    where endpoint.status = 'ENABLED' and failing_since is null`);
