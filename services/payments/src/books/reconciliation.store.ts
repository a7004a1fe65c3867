import { type Queries, sql, type Sql } from '@cobro/postgres/database.ts';

/** The comparison of a day, with its number of differences. */
export interface ComparedDay {
  day: string;
  differences: number;
  /** Why nothing could be compared; absent if the day was compared. */
  notCompared?: string;
}

/** Keeps the comparison of an acquirer's day, in place of an earlier one. */
export const keepReconciliation = (queries: Queries, acquirer: string, found: ComparedDay) =>
  queries.run(kept(acquirer, found));

/** Keeps why an acquirer's day could not be compared, unless it was compared before. */
export const keepUnlessCompared = (queries: Queries, acquirer: string, found: ComparedDay) =>
  queries.run(sql`${kept(acquirer, found)} where acquirer_reconciliation.report ? 'notCompared'`);

const kept = (acquirer: string, found: ComparedDay): Sql => sql`
  insert into acquirer_reconciliation (acquirer, day, differences, report)
  values (${acquirer}, ${found.day}, ${found.differences}, ${JSON.stringify(found)}::jsonb)
  on conflict (acquirer, day) do update
  set finished_at = clock_timestamp(), differences = excluded.differences, report = excluded.report`;

export interface ComparedBooksRow {
  of: string;
  day: string;
  finishedAt: Date;
  differences: number;
  notCompared: string | null;
}

/** Lists the comparisons of each acquirer and of the counters, of `days` days back from its own last one; newest first. */
export const listComparedBooks = (queries: Queries, days: number) =>
  queries.many<ComparedBooksRow>(sql`
    with compared as (
      select acquirer as of, day, finished_at, differences, report from acquirer_reconciliation
      union all
      select 'counters', day, finished_at, differences, report from counter_reconciliation
    ), with_last as (
      select *, max(day) over (partition by of) as last_day from compared
    )
    select of, day::text, finished_at as "finishedAt", differences::int, report ->> 'notCompared' as "notCompared"
    from with_last where day > last_day - ${days}::int
    order by with_last.day desc, of`);

export interface LastReconciliation {
  acquirer: string;
  differences: bigint;
  /** Seconds of real time since the latest day that could be compared was compared; null if none could. */
  age: number | null;
}

/** Reads the latest day on record of each acquirer. */
export const listLastReconciliations = (queries: Queries) =>
  queries.many<LastReconciliation>(sql`
    select distinct on (acquirer) acquirer, differences, date_part('epoch', clock_timestamp() - (
        select finished_at from acquirer_reconciliation as compared
        where compared.acquirer = latest.acquirer and not report ? 'notCompared' order by day desc limit 1)) as age
    from acquirer_reconciliation as latest order by acquirer, day desc`);
