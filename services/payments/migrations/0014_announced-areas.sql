-- Up Migration

-- Generated: if an index's predicate named a column that each payment changes, each payment would write into the index.
alter table payment_link
  add column is_full boolean not null generated always as (max_payments is not null and payments_count >= max_payments) stored,
  add column sold_out_announced integer,
  add column sold_out_at timestamptz(3);
comment on column payment_link.sold_out_announced is 'The maxPayments that were all paid when it was published last.';
create index payment_link_sold_out on payment_link (id) where is_full and sold_out_announced is distinct from max_payments;

-- Links of a status are found by indexes alone. The first index replaces payment_link_list.
create index payment_link_by_state on payment_link (organization_id, created_at desc, id desc)
  include (active, is_full, expires_at, product_id, listed_at);
create index payment_link_off on payment_link (organization_id, created_at desc, id desc) include (listed_at) where not active;
create index payment_link_full on payment_link (organization_id, created_at desc, id desc)
  include (active, expires_at, product_id, listed_at) where is_full;
create index payment_link_expiring on payment_link (organization_id, created_at desc, id desc)
  include (active, expires_at, product_id, listed_at) where expires_at is not null;
create index payment_link_of_product_by_state on payment_link (product_id, created_at desc, id desc)
  include (active, is_full, expires_at, listed_at) where product_id is not null;
drop index payment_link_list, payment_link_of_product;

alter table product
  add column stocked integer,
  add column is_empty boolean not null generated always as (coalesce(stock <= 0, false)) stored,
  add column out_of_stock_announced integer not null default 0,
  add column out_of_stock_at timestamptz(3);
comment on column product.stocked is 'Units that were put in and not taken out again by the merchant: those that are left, and those that payments have.';
comment on column product.out_of_stock_announced is 'With how many units in payments it was published last that none is left.';
update product set stocked = stock + (
  select count(*) from payment join payment_link as link on link.id = payment.payment_link_id
  where link.product_id = product.id and payment.status in ('PENDING', 'CONFIRMED', 'REFUNDED')
) where stock is not null;
alter table product add constraint product_stocked check ((stocked is null) = (stock is null) and stocked >= stock);
create index product_out_of_stock on product (id) where is_empty and out_of_stock_announced <> stocked;

alter table promotion add column announced text check (announced in ('ACCEPTED', 'ENDED'));
-- A view that is replaced keeps its columns in their order.
create or replace view promotion_with_count as
select id, organization_id, external_id, request_digest, name, fee_discount_bps, business_take_bps, terms, types, networks, issuing_banks,
  product_ids, minimum_amount, max_payments, counted, partner_id, partner_name, starts_at, ends_at, accepted_at, ended_at, listed_at,
  created_at, updated_at,
  (counted + coalesce((select sum(change) from promotion_use where promotion_id = promotion.id), 0))::bigint as payments_count,
  announced
from promotion;
create index promotion_accepted on promotion (accepted_at)
  where announced is null and fee_discount_bps > 0 and accepted_at is not null;
create index promotion_ended on promotion (least(ended_at, ends_at)) where announced is distinct from 'ENDED';

-- The last comparison of a day's counters with the payments.
create table counter_reconciliation (
  day date primary key,
  finished_at timestamptz(3) not null default clock_timestamp(),
  differences bigint not null,
  report jsonb not null
);
create index if not exists payment_of_promotion on payment ((rates -> 'promotion' ->> 'id')) where rates ? 'promotion';

-- Down Migration

drop index payment_of_promotion;
drop table counter_reconciliation;
create index payment_link_list on payment_link (organization_id, created_at desc, id desc);
create index payment_link_of_product on payment_link (product_id) where product_id is not null;
drop index payment_link_of_product_by_state, payment_link_expiring, payment_link_full, payment_link_off, payment_link_by_state, promotion_ended, promotion_accepted, product_out_of_stock, payment_link_sold_out;
drop view promotion_with_count;
alter table promotion drop column announced;
create view promotion_with_count as
select promotion.*,
  (counted + coalesce((select sum(change) from promotion_use where promotion_id = promotion.id), 0))::bigint as payments_count
from promotion;
alter table product drop constraint product_stocked, drop column out_of_stock_at, drop column out_of_stock_announced,
  drop column is_empty, drop column stocked;
alter table payment_link drop column sold_out_at, drop column sold_out_announced, drop column is_full;
