/**
 * Writes subscriptions of each merchant that has payments: one for fifty payments, 20 at least. A quarter each begins within a year, is
 * paused, was cancelled, or is over. None of their periods was charged, and no event of them is still to be published.
 */
export const subscriptions = `
  insert into payments.subscription (
    id, organization_id, request_digest, payment_method_id, description, amount, currency, periodicity, first_billing_date,
    total_periods, completes_at, is_started, paused_at, ended_at, end_reason, wake_at, created_at, updated_at,
    announced_version, announced_created, announced_end
  )
  select seed.id_of(made), organization_id, sha256((organization_id::text || 'subscription' || n)::bytea),
    cards[1 + n % cardinality(cards)], 'Plan ' || n, 9900 + n * 7919 % 100000, 'MXN',
    (array['WEEKLY', 'BIWEEKLY', 'MONTHLY', 'QUARTERLY', 'SEMIANNUAL', 'YEARLY'])[1 + n % 6], to_char(first_day, 'YYYY-MM-DD'),
    case when kind = 3 then 1 end, case when kind = 3 then made end, true,
    case when kind = 1 then made end, case when kind > 1 then made end,
    case kind when 2 then 'MERCHANT' when 3 then 'COMPLETED' end,
    case when kind = 0 then first_day + interval '14 hours' else timestamptz '9999-01-01' end, made, made, 1, true, kind > 1
  from (
    select organization_id, n, n % 4 as kind, cards,
      (now() + (1 + n % 360) * interval '1 day')::date::timestamp at time zone 'UTC' as first_day,
      date_trunc('milliseconds', since + random() * (now() - since)) as made
    from (
      select organization_id, least(100000, greatest(20, count(*) / 50)) as subscriptions, min(made) as since,
        (select array_agg(id) from payments.payment_method as card where card.organization_id = staged.organization_id
          and card.status = 'ACTIVE') as cards
      from seed.staged group by organization_id
    ) as shop
    cross join lateral generate_series(1, subscriptions) as n
    where cardinality(cards) > 0
  ) as one`;
