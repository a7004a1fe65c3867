import type { EventReconciliation } from '@cobro/books/reconcile-events.ts';
import type { ShownEvent, WrittenEvent } from '@cobro/books/records.ts';
import { type Queries, sql, type Sql } from '@cobro/postgres/database.ts';
import { ofObject } from './event.store.ts';

/** When the oldest kept event happened; undefined if there is none. */
export const keptFrom = async (queries: Queries): Promise<Date | undefined> =>
  (
    await queries.maybe<{ createdAt: Date }>(sql`
      select created_at as "createdAt" from event order by position limit 1`)
  )?.createdAt;

/** The facts that merchants were shown about these objects. */
export const shownEvents = (queries: Queries, objectIds: readonly string[]) =>
  queries.many<ShownEvent>(sql`
    select object_id as "objectId", type, organization_id as "organizationId", data ->> 'status' as status,
      ((data ->> 'amount')::numeric * 100)::bigint as amount, data ->> 'heldAt' as "heldAt",
      data ->> 'capturedAt' as "capturedAt", data ->> 'holdReleasedAt' as "holdReleasedAt",
      data ->> 'refundedAt' as "refundedAt"
    from unnest(${[...new Set(objectIds)]}::uuid[]) as one (object) join event on ${ofObject(sql`object`)}`);

/** Events of the first minute may have been on their way when the endpoint asked for their type. */
const ASKED_BEFORE_S = 60;

const written = (queries: Queries, which: Sql) =>
  queries.many<WrittenEvent>(sql`
    select position, id, object_id as "objectId", type, (data ->> 'periodNumber')::int as "periodNumber", (
      select count(*)::int from webhook_endpoint as endpoint
      where endpoint.organization_id = event.organization_id and endpoint.status <> 'DISABLED'
        and endpoint.types && array[event.type, split_part(event.type, '.', 1) || '.*']
        and event.position > (extract(epoch from endpoint.asked_since) + ${ASKED_BEFORE_S}) * 1000000
        and not exists (select from delivery where endpoint_id = endpoint.id and event_id = event.id)) as undelivered
    from event where ${which}`);

const PAGE = 1_000;

/** A page of the events written within this real time, in order of position, after this position. */
export const writtenEvents = (queries: Queries, { from, to }: { from: Date; to: Date }, after: bigint) =>
  written(
    queries,
    sql`position >= ${micros(from)} and position < ${micros(to)} and position > ${after} order by position limit ${PAGE}`,
  );

const micros = (time: Date) => BigInt(time.getTime()) * 1_000n;

export const writtenEventsWithIds = (queries: Queries, ids: readonly string[]) =>
  written(queries, sql`id = any(${ids}::uuid[])`);

/** Keeps a day's comparison in place of an earlier one. */
export const keepEventReconciliation = (queries: Queries, found: EventReconciliation) =>
  queries.run(sql`
    insert into event_reconciliation (day, differences, report)
    values (${found.day}, ${found.differences}, ${JSON.stringify(found)}::jsonb)
    on conflict (day) do update
    set finished_at = clock_timestamp(), differences = excluded.differences, report = excluded.report`);

/** The comparisons of the latest days, newest first. */
export const listEventReconciliationsOf = (queries: Queries, days: number) =>
  queries.many<{ day: string; finishedAt: Date; differences: number }>(sql`
    select day::text, finished_at as "finishedAt", differences::int from event_reconciliation
    where day > (select max(day) from event_reconciliation) - ${days}::int order by event_reconciliation.day desc`);

/** The comparison of the latest day, and the seconds of real time since it was made. */
export const lastEventReconciliation = (queries: Queries) =>
  queries.maybe<{ differences: bigint; age: number }>(sql`
    select differences, date_part('epoch', clock_timestamp() - finished_at) as age
    from event_reconciliation order by day desc limit 1`);
