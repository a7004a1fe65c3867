import type { Reconciliation } from '@cobro/books/reconcile-day.ts';
import { type Queries, sql } from '@cobro/postgres/database.ts';

/** Keeps what came of comparing a day, in place of what came of it before. */
export const keepReconciliation = (queries: Queries, found: Reconciliation) =>
  queries.run(sql`
    insert into reconciliation (day, differences, report)
    values (${found.day}, ${found.differences}, ${JSON.stringify(found)}::jsonb)
    on conflict (day) do update
    set finished_at = clock_timestamp(), differences = excluded.differences, report = excluded.report`);

export interface LastReconciliation {
  differences: bigint;
  /** Seconds of real time since the comparison ended. */
  age: number;
}

/** What came of the latest day that has been compared. */
export const findLastReconciliation = (queries: Queries) =>
  queries.maybe<LastReconciliation>(sql`
    select differences, date_part('epoch', clock_timestamp() - finished_at) as age
    from reconciliation order by day desc limit 1`);
