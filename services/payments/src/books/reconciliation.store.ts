import { type Queries, sql } from '@cobro/postgres/database.ts';

/** What came of comparing a day, and how many differences that is. */
export interface ComparedDay {
  day: string;
  differences: number;
  /** Why nothing could be compared, if that is so. */
  notCompared?: string;
}

/** Keeps what came of comparing an acquirer's day, in place of what came of it before. */
export const keepReconciliation = (queries: Queries, acquirer: string, found: ComparedDay) =>
  queries.run(sql`
    insert into acquirer_reconciliation (acquirer, day, differences, report)
    values (${acquirer}, ${found.day}, ${found.differences}, ${JSON.stringify(found)}::jsonb)
    on conflict (acquirer, day) do update
    set finished_at = clock_timestamp(), differences = excluded.differences, report = excluded.report`);

export interface ComparedBooksRow {
  of: string;
  day: string;
  finishedAt: Date;
  differences: number;
  notCompared: string | null;
}

/** What came of the latest days that were compared, of acquirers and of counters; the newest first. */
export const listComparedBooks = (queries: Queries, days: number) =>
  queries.many<ComparedBooksRow>(sql`
    with compared as (
      select acquirer as of, day, finished_at, differences, report from acquirer_reconciliation
      union all
      select 'counters', day, finished_at, differences, report from counter_reconciliation
    )
    select of, day::text, finished_at as "finishedAt", differences::int, report ->> 'notCompared' as "notCompared"
    from compared where day > (select max(day) from compared) - ${days}::int
    order by compared.day desc, of`);

export interface LastReconciliation {
  acquirer: string;
  differences: bigint;
  /** Seconds of real time since the comparison ended. */
  age: number;
}

/** What came of the latest day of each acquirer that is on record. */
export const listLastReconciliations = (queries: Queries) =>
  queries.many<LastReconciliation>(sql`
    select distinct on (acquirer) acquirer, differences, date_part('epoch', clock_timestamp() - finished_at) as age
    from acquirer_reconciliation order by acquirer, day desc`);
