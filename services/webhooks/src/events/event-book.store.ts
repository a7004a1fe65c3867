import type { EventReconciliation } from '@cobro/books/reconcile-events.ts';
import type { ShownEvent, WrittenEvent } from '@cobro/books/records.ts';
import { type Queries, sql, type Sql } from '@cobro/postgres/database.ts';
import { about } from './traced-event.store.ts';

/** When the oldest event happened that is kept. */
export const keptFrom = async (queries: Queries): Promise<Date | undefined> =>
  (
    await queries.maybe<{ createdAt: Date }>(sql`
      select created_at as "createdAt" from event order by position limit 1`)
  )?.createdAt;

/** What merchants were shown of these objects. */
export const shownEvents = (queries: Queries, objectIds: readonly string[]) =>
  queries.many<ShownEvent>(sql`
    select object_id as "objectId", type, organization_id as "organizationId", data ->> 'status' as status,
      ((data ->> 'amount')::numeric * 100)::bigint as amount, data ->> 'heldAt' as "heldAt",
      data ->> 'capturedAt' as "capturedAt", data ->> 'holdReleasedAt' as "holdReleasedAt",
      data ->> 'refundedAt' as "refundedAt"
    from unnest(${[...new Set(objectIds)]}::uuid[]) as one (object) join event on ${about}`);

/** An event may have been on its way while an endpoint asked for its type. */
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

/** Events that were written down within this real time, by position after this one, a page at most. */
export const writtenEvents = (queries: Queries, { from, to }: { from: Date; to: Date }, after: bigint, page = 1_000) =>
  written(
    queries,
    sql`position >= ${micros(from)} and position < ${micros(to)} and position > ${after} order by position limit ${page}`,
  );

const micros = (time: Date) => BigInt(time.getTime()) * 1_000n;

export const writtenEventsWithIds = (queries: Queries, ids: readonly string[]) =>
  written(queries, sql`id = any(${ids}::uuid[])`);

/** Keeps what came of comparing a day, in place of what came of it before. */
export const keepEventReconciliation = (queries: Queries, found: EventReconciliation) =>
  queries.run(sql`
    insert into event_reconciliation (day, differences, report)
    values (${found.day}, ${found.differences}, ${JSON.stringify(found)}::jsonb)
    on conflict (day) do update
    set finished_at = clock_timestamp(), differences = excluded.differences, report = excluded.report`);

/** What came of the latest days that were compared, the newest first. */
export const listEventReconciliationsOf = (queries: Queries, days: number) =>
  queries.many<{ day: string; finishedAt: Date; differences: number }>(sql`
    select day::text, finished_at as "finishedAt", differences::int from event_reconciliation
    where day > (select max(day) from event_reconciliation) - ${days}::int order by event_reconciliation.day desc`);

/** What came of the latest day that has been compared, and the seconds of real time since then. */
export const lastEventReconciliation = (queries: Queries) =>
  queries.maybe<{ differences: bigint; age: number }>(sql`
    select differences, date_part('epoch', clock_timestamp() - finished_at) as age
    from event_reconciliation order by day desc limit 1`);
