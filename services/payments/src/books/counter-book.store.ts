import type { Counted } from '@cobro/books/reconcile-counters.ts';
import { type Queries, sql, type Sql } from '@cobro/postgres/database.ts';

const counts = sql`status in ('PENDING', 'CONFIRMED', 'HELD', 'HOLD_RELEASED', 'HOLD_EXPIRED', 'REFUNDED')`;
const madeAt = (links: Sql): Sql => sql`
  (select count(*) from payment where payment_link_id = any(array(${links})) and is_initialized and ${counts})`;

/** Payments with an operation that the bank approved or declined in these UTC hours (`2026-11-20T06`). */
const answeredIn = (hours: readonly string[]): Sql => sql`
  select payment.* from bank_operation join payment on payment.id = subject_id
  where bank_operation.status in ('approved', 'declined') and purpose <> 'save' and left(answer ->> 'time', 13) = any(${hours})`;

/**
 * Reads the counters of links, products and promotions of payments answered in these hours, each in one snapshot with its
 * count.
 */
export const countedIn = (queries: Queries, hours: readonly string[]) =>
  queries.many<Counted>(sql`
    with touched as materialized (
      select distinct payment_link_id, (rates -> 'promotion' ->> 'id')::uuid as promotion_id
      from (${answeredIn(hours)}) as payment
    )
    select 'payment link' as of, id, payments_count::bigint as counted, ${madeAt(sql`select link.id`)} as made
    from payment_link as link where id in (select payment_link_id from touched)
    union all
    select 'product', id, (stocked - stock)::bigint,
      ${madeAt(sql`select link.id from payment_link as link where link.product_id = product.id`)}
    from product
    where stock is not null and id in (
      select product_id from payment_link where id in (select payment_link_id from touched))
    union all
    select 'promotion', id, payments_count,
      (select count(*) from payment where rates ? 'promotion' and rates -> 'promotion' ->> 'id' = promotion.id::text and ${counts})
    from promotion_with_count as promotion where id in (select promotion_id from touched)`);

/** Keeps a day's comparison, in place of an earlier one. */
export const keepCounterReconciliation = (queries: Queries, found: { day: string; differences: number }) =>
  queries.run(sql`
    insert into counter_reconciliation (day, differences, report)
    values (${found.day}, ${found.differences}, ${JSON.stringify(found)}::jsonb)
    on conflict (day) do update
    set finished_at = clock_timestamp(), differences = excluded.differences, report = excluded.report`);

/** Reads the latest day's comparison. */
export const lastCounterReconciliation = (queries: Queries) =>
  queries.maybe<{ differences: bigint }>(sql`select differences from counter_reconciliation order by day desc limit 1`);
