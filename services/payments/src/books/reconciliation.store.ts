import type { Reconciliation } from '@cobro/books/reconcile-day.ts';
import { type Queries, sql } from '@cobro/postgres/database.ts';

/** Keeps what came of comparing an acquirer's day, in place of what came of it before. */
export const keepReconciliation = (queries: Queries, acquirer: string, found: Reconciliation) =>
  queries.run(sql`
    insert into acquirer_reconciliation (acquirer, day, differences, report)
    values (${acquirer}, ${found.day}, ${found.differences}, ${JSON.stringify(found)}::jsonb)
    on conflict (acquirer, day) do update
    set finished_at = clock_timestamp(), differences = excluded.differences, report = excluded.report`);

export interface LastReconciliation {
  acquirer: string;
  differences: bigint;
  /** Seconds of real time since the comparison ended. */
  age: number;
}

/** What came of the latest day of each of these acquirers that has been compared. */
export const listLastReconciliations = (queries: Queries, acquirers: readonly string[]) =>
  queries.many<LastReconciliation>(sql`
    select distinct on (acquirer) acquirer, differences, date_part('epoch', clock_timestamp() - finished_at) as age
    from acquirer_reconciliation where acquirer = any(${acquirers}) order by acquirer, day desc`);
