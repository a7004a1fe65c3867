import { paymentTypes } from '@cobro/contracts/payment-fields.ts';
import { type Queries, sql } from '@cobro/postgres/database.ts';
import type { ReportedRange } from './day-report.store.ts';
import { settledAt } from './payment.store.ts';
import { type DisbursementSums, disbursementSums } from './disbursement-sums.ts';

/** A hold is captured within a week, and a charge approved within a day, so older rows did not settle on the day. */
export const SETTLES_WITHIN_MS = 8 * 86_400_000;

/** What settled on a day. Centavos. */
export interface SettledOnDay extends DisbursementSums {
  day: string;
  payments: number;
  amount: bigint;
}

export const readSettledDays = (queries: Queries, { organizationId, from, to }: ReportedRange) =>
  queries.many<SettledOnDay>(sql`
    select (settled_at at time zone 'America/Mexico_City')::date::text as day, count(*)::int as payments,
      sum(amount)::bigint as amount, ${disbursementSums}
    from unnest(array['CONFIRMED', 'REFUNDED']) as one (of_status)
    cross join unnest(${paymentTypes}::text[]) as other (of_type)
    cross join lateral (
      select ${settledAt} as settled_at, amount, disbursement from payment
      where organization_id = ${organizationId} and status = of_status and type = of_type
        and created_at >= ${new Date(from.getTime() - SETTLES_WITHIN_MS)} and created_at <= ${to}
    ) as paid
    where settled_at >= ${from} and settled_at <= ${to}
    group by 1`);
