/**
 * Writes promotions of each merchant with payments and a sponsor: two of each status, and twenty that have ended. No payment carries one.
 */
export const promotions = `
  insert into payments.promotion (
    id, organization_id, request_digest, name, fee_discount_bps, business_take_bps, terms, types, networks, issuing_banks, product_ids,
    minimum_amount, max_payments, partner_id, partner_name, starts_at, ends_at, accepted_at, announced, created_at, updated_at
  )
  select seed.id_of(made), organization_id, sha256((organization_id::text || 'promotion' || n)::bytea),
    (array['Buen Fin', 'Hot Sale', 'Meses sin intereses', 'Regreso a clases'])[1 + n % 4] || ' ' || n,
    50 + n % 7 * 50, n % 3 * 25, case when n % 2 = 0 then array[3, 6, 9, 12] else array[]::integer[] end, '{}',
    case when n % 5 = 0 then array['VISA'] else array[]::text[] end, '{}', '{}', case when n % 4 = 0 then 50000 end,
    case when n % 3 = 0 then 1000 end, partner_id, partner_name, starts, ends, case when n not in (3, 4) then made end,
    case when n > 6 then 'ENDED' when n not in (3, 4) then 'ACCEPTED' end, made, made
  from (
    select *, least(starts, now()) - interval '1 day' as made, starts + interval '14 days' as ends
    from (
      select organization_id, partner_id, partner_name, n,
        date_trunc('milliseconds', case
          when n in (1, 2) then now() - interval '3 days' when n in (3, 4) then now() + interval '1 day'
          when n in (5, 6) then now() + interval '10 days' else now() - n * interval '30 days'
        end) as starts
      from (select distinct organization_id from seed.staged) as shop
      join payments.organization on organization.id = organization_id and partner_name is not null
      cross join generate_series(1, 26) as n
    ) as one
  ) as timed`;
