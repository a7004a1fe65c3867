-- Up Migration

create table product (
  id uuid primary key,
  organization_id uuid not null,
  external_id text,
  request_digest bytea not null,
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'ARCHIVED')),
  name text not null,
  description text,
  price bigint not null check (price > 0),
  currency char(3) not null check (currency = 'MXN'),
  stock integer check (stock >= 0),
  listed_at timestamptz not null default clock_timestamp(),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version integer not null default 1
) with (
  -- Each sale changes the stock of its product's row, and no index.
  fillfactor = 70
);
comment on column product.request_digest is 'SHA-256 of the request as it was sent: shows whether a repeated externalId asks for the same.';
comment on column product.price is 'Centavos, for the next payment of its links.';
comment on column product.stock is 'Units that are left; null where they are not counted, which never changes.';
comment on column product.listed_at is 'Real time, not business time: a walk by cursor shows nothing that came after it began.';
create unique index product_external_id on product (organization_id, external_id) where external_id is not null;
create index product_list on product (organization_id, created_at desc, id desc);
create index product_by_status on product (organization_id, status, created_at desc, id desc);

create table stock_change (
  organization_id uuid not null,
  external_id text not null,
  product_id uuid not null references product (id),
  change integer not null,
  created_at timestamptz(3) not null,
  primary key (organization_id, external_id)
);
comment on table stock_change is 'Changes that a merchant asked for under an externalId, so that none is made twice.';

-- Saved cards have a list by cursor too. Cards that are older than the column came before every walk.
alter table payment_method add column listed_at timestamptz;
alter table payment_method alter column listed_at set default clock_timestamp();

create or replace view listed as
select 'payment_method' as list, organization_id as owner, created_at, id, status, expiry_month from payment_method
union all
select 'one_time_payment', organization_id, created_at, id, status, 0 from one_time_payment
union all
select 'payment', payment_method_id, created_at, id, status, 0 from payment
where payment_method_id is not null and is_initialized
union all
select 'product', organization_id, created_at, id, status, 0 from product;

create function note_product() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op <> 'INSERT' then
    insert into list_change values ('product', old.organization_id, old.created_at, old.id, old.status, 0, -1);
  end if;
  if tg_op <> 'DELETE' then
    insert into list_change values ('product', new.organization_id, new.created_at, new.id, new.status, 0, 1);
  end if;
  return null;
end $$;
create trigger product_comes_or_goes after insert or delete on product for each row execute function note_product();
create trigger product_changes after update of status, organization_id, created_at on product
  for each row execute function note_product();

-- Down Migration

drop trigger product_changes on product;
drop trigger product_comes_or_goes on product;
drop function note_product;
create or replace view listed as
select 'payment_method' as list, organization_id as owner, created_at, id, status, expiry_month from payment_method
union all
select 'one_time_payment', organization_id, created_at, id, status, 0 from one_time_payment
union all
select 'payment', payment_method_id, created_at, id, status, 0 from payment
where payment_method_id is not null and is_initialized;
alter table payment_method drop column listed_at;
drop table stock_change, product;
