import { developerPaymentStatuses } from '@cobro/contracts/developer-payments.ts';
import { paymentTypes } from '@cobro/contracts/payment-fields.ts';
import { type Queries, sql } from '@cobro/postgres/database.ts';
import { disbursementSums, takeSum } from './disbursement-sums.ts';
import type { DayPart, HourPart, RefundedOnDay } from './day-report.rules.ts';

/** Both ends are included. */
export interface ReportedRange {
  organizationId: string;
  from: Date;
  to: Date;
}

/** Reads the rows of these days by `payment_by_status_and_type`, and nothing else of the organization. */
export const readDayParts = (queries: Queries, { organizationId, from, to }: ReportedRange) =>
  queries.many<DayPart>(sql`
    select (created_at at time zone 'America/Mexico_City')::date::text as day, status, decline_code as "declineCode",
      count(*)::int as payments, coalesce(sum(amount), 0)::bigint as amount,
      ${disbursementSums}
    from unnest(${developerPaymentStatuses}::text[]) as one (of_status)
    cross join unnest(${paymentTypes}::text[]) as other (of_type)
    cross join lateral (
      select created_at, status, decline_code, amount, disbursement from payment
      where organization_id = ${organizationId} and status = of_status and type = of_type
        and created_at >= ${from} and created_at <= ${to}
    ) as made
    group by 1, 2, 3`);

export const readRefundedDays = (queries: Queries, { organizationId, from, to }: ReportedRange) =>
  queries.many<RefundedOnDay>(sql`
    select (refunded_at at time zone 'America/Mexico_City')::date::text as day, count(*)::int as payments,
      sum(amount)::bigint as amount, ${takeSum}
    from payment
    where organization_id = ${organizationId} and refunded_at >= ${from} and refunded_at <= ${to} and status = 'REFUNDED'
    group by 1`);

/** What was paid in each hour of a day. */
export const readHours = (queries: Queries, { organizationId, from, to }: ReportedRange) =>
  queries.many<HourPart>(sql`
    select extract(hour from created_at at time zone 'America/Mexico_City')::int as hour, count(*)::int as payments,
      sum(amount)::bigint as amount
    from unnest(array['CONFIRMED', 'REFUNDED']) as one (of_status)
    cross join unnest(${paymentTypes}::text[]) as other (of_type)
    cross join lateral (
      select created_at, amount from payment
      where organization_id = ${organizationId} and status = of_status and type = of_type
        and created_at >= ${from} and created_at <= ${to}
    ) as paid
    group by 1`);
