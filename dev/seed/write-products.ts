/**
 * Writes products of each merchant that has payments: 10,000 of one with 400,000 payments, 20 of a small one. One in eight is archived,
 * the units of one in three are not counted.
 */
export const products = `
  insert into payments.product (
    id, organization_id, request_digest, status, name, price, currency, stock, stocked, created_at, updated_at
  )
  select seed.id_of(made), organization_id, sha256((organization_id::text || n)::bytea),
    case when n % 8 = 0 then 'ARCHIVED' else 'ACTIVE' end,
    (array['Talavera', 'Rebozo', 'Mezcal', 'Alebrije', 'Huarache', 'Café de olla'])[1 + n % 6] || ' ' || n,
    1000 + n * 7919 % 500000, 'MXN', case when n % 3 <> 0 then n % 200 end, case when n % 3 <> 0 then n % 200 end, made, made
  from (
    select organization_id, n, date_trunc('milliseconds', since + random() * (now() - since)) as made
    from (
      select organization_id, least(10000, greatest(20, count(*) / 40)) as products, min(made) as since
      from seed.staged group by organization_id
    ) as shop
    cross join lateral generate_series(1, products) as n
  ) as one`;
