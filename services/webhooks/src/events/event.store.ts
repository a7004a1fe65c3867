import type { OutwardType } from '@cobro/contracts/outward-events.ts';
import { allOf, type Queries, sql, type Sql } from '@cobro/postgres/database.ts';
import type { EventRow } from './event.rules.ts';

const columns = sql`
  position, id, organization_id as "organizationId", type, object_id as "objectId", created_at as "createdAt", data`;

export type NewEvent = Omit<EventRow, 'position'>;

/**
 * Writes events, and their deliveries to endpoints that asked for their types; the row count is the number of deliveries. Skips an event
 * that is known. Takes one position for all events, because each look for the last one costs as much as a row. If a bank's clock is
 * ahead, its events are due now. The lock leaves out endpoints that were deleted while the position was waited for.
 */
export const insertingEvents = (events: readonly NewEvent[], now: Date): Sql => sql`
    with first as materialized (select next_position() as position),
    written as (
      insert into event (position, id, organization_id, type, object_id, created_at, data)
      select first.position + given.number - 1, id, "organizationId", type, "objectId", "createdAt", data
      from first cross join rows from (json_to_recordset(${JSON.stringify(events)}::json) as (
        id uuid, "organizationId" uuid, type text, "objectId" uuid, "createdAt" timestamptz, data json))
        with ordinality as given (id, "organizationId", type, "objectId", "createdAt", data, number)
      on conflict (id) do nothing
      returning id, organization_id, type, created_at)
    insert into delivery (endpoint_id, event_id, type, created_at, next_attempt_at)
    select endpoint.id, written.id, written.type, written.created_at, least(written.created_at, ${now}::timestamptz)
    from written join webhook_endpoint as endpoint on endpoint.organization_id = written.organization_id
    where endpoint.status <> 'DISABLED' and endpoint.types && array[written.type, split_part(written.type, '.', 1) || '.*']
    for key share of endpoint`;

export const findEvent = (queries: Queries, id: string) =>
  queries.maybe<EventRow>(sql`select ${columns} from event where id = ${id}`);

/** The `data` of these events. */
export const findData = (queries: Queries, ids: readonly string[]) =>
  queries.many<{ id: string; data: object }>(sql`select id, data from event where id = any(${ids}::uuid[])`);

/** Ids of an object's events begin with the first 48 bits of its id. */
export const ofObject = (id: Sql) => sql`
  event.id >= (left(${id}::text, 13) || '-8000-8000-000000000000')::uuid
  and event.id <= (left(${id}::text, 13) || '-8fff-bfff-ffffffffffff')::uuid and event.object_id = ${id}`;

export interface EventFilters {
  types: readonly OutwardType[] | undefined;
  objectId: string | undefined;
  since: Date;
}

const matching = ({ types, objectId, since }: EventFilters) =>
  allOf([
    sql`created_at >= ${since}`,
    ...(types === undefined ? [] : [sql`type = any(${types})`]),
    ...(objectId === undefined ? [] : [ofObject(sql`${objectId}::uuid`)]),
  ]);

/** Where a walk continues. */
interface Place {
  organizationId: string;
  after: bigint;
  /** The last position that the walk may pass. */
  upTo: bigint;
}

/** The next events of a merchant, oldest first. */
export const findNextEvents = (
  queries: Queries,
  { organizationId, after, upTo }: Place,
  filters: EventFilters,
  limit: number,
) =>
  queries.many<EventRow>(sql`
    select ${columns} from event
    where organization_id = ${organizationId} and position > ${after} and position <= ${upTo} and ${matching(filters)}
    order by position limit ${limit}`);

/** The last position of the merchant's next events, at most `most` of them, and how many they are. */
export const measureNextEvents = (queries: Queries, organizationId: string, after: bigint, most: number) =>
  queries.one<{ last: bigint | null; count: number }>(sql`
    select max(position) as last, count(*)::int as count from (
      select position from event where organization_id = ${organizationId} and position > ${after}
      order by position limit ${most}) as next`);

/** The merchant's events before this position, newest first. */
export const findEventsBefore = (
  queries: Queries,
  { organizationId, before }: { organizationId: string; before: bigint },
  filters: EventFilters,
  limit: number,
) =>
  queries.many<EventRow>(sql`
    select ${columns} from event
    where organization_id = ${organizationId} and position < ${before} and ${matching(filters)}
    order by position desc limit ${limit}`);

/** A page of these organizations' events, newest first. */
export const findNewestEvents = (
  queries: Queries,
  organizations: readonly string[],
  filters: EventFilters,
  { offset, limit }: { offset: number; limit: number },
) =>
  queries.many<EventRow>(sql`
    select newest.* from unnest(${organizations}::uuid[]) as one (of_organization) cross join lateral (
      select ${columns} from event
      where organization_id = of_organization and ${matching(filters)}
      order by position desc limit ${offset + limit}) as newest
    order by position desc offset ${offset} limit ${limit}`);

export const countEvents = async (
  queries: Queries,
  organizations: readonly string[],
  filters: EventFilters,
  most: number,
): Promise<number> => {
  const { count } = await queries.one<{ count: number }>(sql`
    select count(*)::int as count from (
      select from event where organization_id = any(${organizations}::uuid[]) and ${matching(filters)}
      limit ${most}) as counted`);
  return count;
};

export const newestPosition = async (queries: Queries): Promise<bigint> =>
  (await queries.one<{ newest: bigint | null }>(sql`select max(position) as newest from event`)).newest ?? 0n;

/** A merchant's newest position; 0 if it has no event. */
export const newestPositionOf = async (queries: Queries, organizationId: string): Promise<bigint> => {
  const newest = await queries.maybe<{ position: bigint }>(sql`
    select position from event where organization_id = ${organizationId} order by position desc limit 1`);
  return newest?.position ?? 0n;
};

/** The organizations with events after this position, and the newest position of each. */
export const findNews = (queries: Queries, after: bigint) =>
  queries.many<{ organizationId: string; newest: bigint }>(sql`
    select organization_id as "organizationId", max(position) as newest from event
    where position > ${after} group by organization_id`);

/** Looks at the `among` oldest rows and deletes those that happened before this. Returns how many. */
export const deleteOldest = (queries: Queries, before: Date, among: number) =>
  queries.run(sql`
    delete from event where position = any(array(
      select position from (select position, created_at from event order by position limit ${among}) as oldest
      where created_at < ${before}))`);
