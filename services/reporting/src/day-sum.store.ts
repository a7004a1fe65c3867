import { paymentTypes } from '@cobro/contracts/payment-fields.ts';
import { type Queries, sql, type Tx } from '@cobro/postgres/database.ts';
import type { DayPart, HourPart } from './day-report.rules.ts';

/** Days of Mexico City, as `YYYY-MM-DD`. Both ends are included. */
export interface ReportedDays {
  organizationId: string;
  from: string;
  to: string;
}

/** Sums of these moments by day, status and decline code. */
export const readDayParts = (queries: Queries, moments: readonly DayPart['moment'][], days: ReportedDays) =>
  queries.many<DayPart>(sql`
    select moment, day::text as day, status, decline_code as "declineCode", sum(payments)::int as payments, sum(amount)::bigint as amount,
      sum(fee)::bigint as fee, sum(fee_iva)::bigint as "feeIva", sum(promotion_take)::bigint as "promotionTake", sum(take)::bigint as take
    from day_total
    where organization_id = ${days.organizationId} and moment = any(${moments}) and day >= ${days.from}::date and day <= ${days.to}::date
    group by moment, day, status, decline_code
    having sum(payments) <> 0`);

interface Range {
  organizationId: string;
  from: Date;
  to: Date;
}

/** Sums what was paid in each hour of a day from that day's rows. Both ends are included. */
export const readHours = (queries: Queries, { organizationId, from, to }: Range) =>
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

const isSomething = sql`
      (sum(payments), sum(amount), sum(fee), sum(fee_iva), sum(promotion_take), sum(take)) <> (0, 0, 0, 0, 0, 0)`;

/**
 * Adds the oldest changes to the sums, `limit` at most. Only one transaction at a time may fold. Sums plus changes stay the same before,
 * during and after. Returns how many changes there were.
 */
export async function foldDayChanges(tx: Tx, limit: number): Promise<number> {
  const { taken } = await tx.one<{ taken: number }>(sql`
    with taken as (
      delete from day_change where id = any(array(select id from day_change order by id limit ${limit})) returning *
    ), folded as (
      insert into day_sum as known (
        organization_id, moment, day, status, decline_code, payments, amount, fee, fee_iva, promotion_take, take
      )
      select organization_id, moment, day, status, decline_code, sum(payments), sum(amount), sum(fee), sum(fee_iva), sum(promotion_take),
        sum(take)
      from taken cross join lateral (
        values ('made', made_on), ('settled', settled_on), ('refunded', refunded_on)
      ) as of_payment (moment, day)
      where day is not null
      group by 1, 2, 3, 4, 5
      having ${isSomething}
      on conflict (organization_id, moment, day, status, decline_code) do update set
        payments = known.payments + excluded.payments, amount = known.amount + excluded.amount, fee = known.fee + excluded.fee,
        fee_iva = known.fee_iva + excluded.fee_iva, promotion_take = known.promotion_take + excluded.promotion_take,
        take = known.take + excluded.take
    )
    select count(*)::int as taken from taken`);
  tx.send(sql`
    delete from day_sum
    where payments = 0 and amount = 0 and fee = 0 and fee_iva = 0 and promotion_take = 0 and take = 0`);
  return taken;
}

/** A difference between the rows and the sums with their changes. */
export interface Missummed {
  /** `organization moment day status declineCode` */
  cell: string;
  /** `payments amount fee feeIva promotionTake take`, negative if the sums are too high. */
  missing: string;
}

/** Adds up every row, so it may take seconds for millions. One statement, so it is right while the projection goes on. */
export const findMissummed = (queries: Queries, limit: number) =>
  queries.many<Missummed>(sql`
    select concat_ws(' ', organization_id, moment, day, status, decline_code) as cell,
      concat_ws(' ', sum(payments), sum(amount), sum(fee), sum(fee_iva), sum(promotion_take), sum(take)) as missing
    from (
      select organization_id, moment, day, status, decline_code, 1 as payments, amount, fee, fee_iva, promotion_take, take from payment_day
      union all
      select organization_id, moment, day, status, decline_code, -payments, -amount, -fee, -fee_iva, -promotion_take, -take from day_total
    ) as known
    group by organization_id, moment, day, status, decline_code
    having ${isSomething}
    limit ${limit}`);
