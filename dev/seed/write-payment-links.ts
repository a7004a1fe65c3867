/**
 * Writes payment links of each merchant that has payments: one for ten payments, 20 at least. One in three is of a product; some are
 * switched off or have expired. None was paid.
 */
export const paymentLinks = `
  insert into payments.payment_link (
    id, organization_id, request_digest, product_id, active, description, amount, currency, allowed_terms, max_payments,
    expires_at, created_at, updated_at
  )
  select seed.id_of(made), organization_id, sha256((organization_id::text || 'link' || n)::bytea), product, n % 11 <> 0,
    'Enlace ' || n, case when product is null then 1000 + n * 7919 % 500000 end, 'MXN', array[1, 3, 6, 9, 12, 18],
    case when n % 4 = 0 then 1 + n % 50 end,
    case when n % 5 = 0 then made + interval '30 days' end, made, made
  from (
    select organization_id, n, case when n % 3 = 0 then products[1 + n % cardinality(products)] end as product,
      date_trunc('milliseconds', since + random() * (now() - since)) as made
    from (
      select organization_id, least(1000000, greatest(20, count(*) / 10)) as links, min(made) as since,
        (select array_agg(id) from payments.product where product.organization_id = staged.organization_id) as products
      from seed.staged group by organization_id
    ) as shop
    cross join lateral generate_series(1, links) as n
  ) as one`;
