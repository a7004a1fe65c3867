import { type Queries, sql } from '@cobro/postgres/database.ts';

interface Announced {
  id: string;
  isStarted: boolean;
  end: 'cancelled' | 'completed' | null;
  /** Numbers of periods that were paid. */
  paid: number[];
  /** Paid periods that were left out before and collected by hand; their charges have a note. They need not be shown. */
  late: number[];
  /** Numbers of periods that were declined. */
  tried: number[];
  isPastDue: boolean;
  latest: number;
}

/**
 * Subscription events that merchants are shown too often, wrongly or not at all. `renewing` may be missing, because the clock alone
 * causes it.
 */
export async function subscriptionsShownWrongly(payments: Queries, webhooks: Queries): Promise<string[]> {
  const announced = await payments.many<Announced>(sql`
    select id, is_started as "isStarted", is_past_due as "isPastDue", latest_number as latest,
      case when ended_at is not null then case end_reason when 'COMPLETED' then 'completed' else 'cancelled' end end as end,
      array(select distinct period_number from payment where subscription_id = subscription.id
        and status in ('CONFIRMED', 'REFUNDED')
        and (period_number > 1 or first_billing_date
          <> to_char(subscription.created_at at time zone 'America/Mexico_City', 'YYYY-MM-DD'))) as paid,
      array(select distinct period_number from payment join bank_operation as operation on subject_id = payment.id
        where subscription_id = subscription.id and payment.status in ('CONFIRMED', 'REFUNDED')
        and purpose = 'charge' and operation.note is not null) as late,
      array(select distinct period_number from payment where subscription_id = subscription.id
        and status = 'CANCELLED') as tried
    from subscription where is_listed`);
  const shown = await webhooks.many<{ objectId: string; what: string; number: number | null; times: number }>(sql`
    select object_id as "objectId", split_part(type, '.', 2) as what, (data ->> 'periodNumber')::int as number,
      count(*)::int as times
    from event where type like 'subscription.%' group by object_id, type, number`);
  const of = Map.groupBy(shown, ({ objectId }) => objectId);
  return announced.flatMap((one) => {
    const events = of.get(one.id) ?? [];
    const has = (what: string, number: number | null = null) =>
      events.some((event) => event.what === what && event.number === number);
    const isRight = ({ what, number, times }: (typeof events)[number]): boolean =>
      times === 1 &&
      ((what === 'created' && one.isStarted) ||
        what === one.end ||
        what === 'renewing' ||
        (what === 'past_due' && number !== null && one.tried.includes(number)) ||
        ((what === 'renewed' || what === 'recovered') && number !== null && one.paid.includes(number)));
    const missing = [
      ...(one.isStarted && !has('created') ? ['created'] : []),
      ...(one.end !== null && !has(one.end) ? [one.end] : []),
      ...(one.isPastDue && !has('past_due', one.latest) ? [`past_due of period ${one.latest}`] : []),
      ...one.paid
        .filter(
          (number) =>
            !one.late.includes(number) && Number(has('renewed', number)) + Number(has('recovered', number)) !== 1,
        )
        .map((number) => `that period ${number} was paid, once`),
    ];
    return [
      ...missing.map((what) => `subscription ${one.id} in webhooks: there is no event ${what}`),
      ...events
        .filter((event) => !isRight(event))
        .map(({ what, number, times }) => `subscription ${one.id} in webhooks: ${what} ${number ?? ''} ${times} times`),
    ];
  });
}
