import { paymentTypes } from '@cobro/contracts/payment-fields.ts';
import { type Queries, sql } from '@cobro/postgres/database.ts';
import { settledAt } from './payment.store.ts';
import { madeToSettle } from './report-filters.ts';

/** What one salesperson, branch or terminal took. Centavos. */
export interface Taken {
  by: 'SALESPERSON' | 'BRANCH' | 'TERMINAL' | 'ALL';
  id: string | null;
  name: string | null;
  payments: number;
  amount: bigint;
  refunds: number;
  refunded: bigint;
}

/** Both ends are included. */
interface Range {
  organizationId: string;
  from: Date;
  to: Date;
}

/** Sums money that moved and refunds within the range, each under today's name, or the payment's own if today's is not known. */
export const readTakings = (queries: Queries, { organizationId, from, to }: Range) => {
  const made = madeToSettle(from, to);
  return queries.many<Taken>(sql`
    with moved as (
      select salesperson_id, salesperson_name, branch_id, branch_name, terminal_id, amount, false as is_refund
      from unnest(array['CONFIRMED', 'REFUNDED']) as one (of_status)
      cross join unnest(${paymentTypes}::text[]) as other (of_type)
      cross join lateral (
        select *, ${settledAt} as settled_at from payment
        where organization_id = ${organizationId} and status = of_status and type = of_type
          and created_at >= ${made.from} and created_at <= ${made.to}
      ) as paid
      where settled_at >= ${from} and settled_at <= ${to}
      union all
      select salesperson_id, salesperson_name, branch_id, branch_name, terminal_id, amount, true
      from payment
      where organization_id = ${organizationId} and refunded_at >= ${from} and refunded_at <= ${to} and status = 'REFUNDED'
    ), taken as (
      select grouping(salesperson_id, branch_id, terminal_id) as grouped, salesperson_id, branch_id, terminal_id,
        max(salesperson_name) as salesperson_name, max(branch_name) as branch_name,
        count(*) filter (where not is_refund)::int as payments,
        coalesce(sum(amount) filter (where not is_refund), 0)::bigint as amount,
        count(*) filter (where is_refund)::int as refunds,
        coalesce(sum(amount) filter (where is_refund), 0)::bigint as refunded
      from moved group by grouping sets ((salesperson_id), (branch_id), (terminal_id), ())
    )
    select case grouped when 3 then 'SALESPERSON' when 5 then 'BRANCH' when 6 then 'TERMINAL' else 'ALL' end as by,
      coalesce(salesperson_id, branch_id, terminal_id) as id, payments, amount, refunds, refunded,
      case grouped
        when 3 then coalesce(salesperson.name, case when salesperson_id is not null then salesperson_name end)
        when 5 then coalesce(branch.name, case when branch_id is not null then branch_name end)
        when 6 then serial_number
      end as name
    from taken
    left join salesperson on salesperson.id = salesperson_id
    left join branch on branch.id = branch_id
    left join terminal on terminal.id = terminal_id
    order by taken.amount desc, id nulls last`);
};
