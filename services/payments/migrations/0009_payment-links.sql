-- Up Migration

create table payment_link (
  id uuid primary key,
  organization_id uuid not null,
  external_id text,
  request_digest bytea not null,
  product_id uuid references product (id),
  active boolean not null default true,
  description text not null,
  amount bigint check (amount > 0),
  currency char(3) not null check (currency = 'MXN'),
  allowed_terms integer[] not null check (cardinality(allowed_terms) > 0),
  max_payments integer check (max_payments > 0),
  payments_count integer not null default 0 check (payments_count >= 0),
  expires_at timestamptz(3),
  redirect_url text,
  homepage_url text,
  salesperson_id uuid,
  listed_at timestamptz not null default clock_timestamp(),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version integer not null default 1,
  check ((product_id is null) <> (amount is null))
) with (
  -- Each payment changes the count of its link's row, and no index.
  fillfactor = 70
);
comment on table payment_link is 'An address at which any number of customers pay. Its status is derived when it is read.';
comment on column payment_link.request_digest is 'SHA-256 of the request as it was sent: shows whether a repeated externalId asks for the same.';
comment on column payment_link.amount is 'Centavos; null where the product''s price is asked for.';
comment on column payment_link.payments_count is 'Its payments that are PENDING, CONFIRMED or REFUNDED.';
comment on column payment_link.listed_at is 'Real time, not business time: a walk by cursor shows nothing that came after it began.';
create unique index payment_link_external_id on payment_link (organization_id, external_id) where external_id is not null;
create index payment_link_list on payment_link (organization_id, created_at desc, id desc);
create index payment_link_of_product on payment_link (product_id) where product_id is not null;

alter table payment add column if not exists payment_link_id uuid, add column if not exists attempt_id uuid;
-- `not valid` spares reading the whole table: no existing row names a payment link.
alter table payment add constraint payment_payment_link_id_fkey foreign key (payment_link_id) references payment_link (id) not valid;
comment on column payment.attempt_id is 'The payer''s own id of an attempt to pay a payment link: the same request again finds its payment.';
-- `not valid` spares reading the whole table: every existing row has passed the narrower check.
alter table payment drop constraint payment_source_check, add constraint payment_source_check
  check (source in ('SAVED_CARD', 'ONE_TIME_PAYMENT', 'PAYMENT_INTENT', 'PAYMENT_LINK', 'SUBSCRIPTION')) not valid;
create unique index if not exists payment_link_attempt on payment (payment_link_id, attempt_id)
  where payment_link_id is not null;
create index if not exists payment_by_link on payment (payment_link_id, created_at desc, id desc)
  where payment_link_id is not null and is_initialized;

create or replace view listed as
select 'payment_method' as list, organization_id as owner, created_at, id, status, expiry_month from payment_method
union all
select 'one_time_payment', organization_id, created_at, id, status, 0 from one_time_payment
union all
select 'payment', payment_method_id, created_at, id, status, 0 from payment
where payment_method_id is not null and is_initialized
union all
select 'product', organization_id, created_at, id, status, 0 from product
union all
select 'payment_link', organization_id, created_at, id, '', 0 from payment_link
union all
select 'payment', payment_link_id, created_at, id, status, 0 from payment
where payment_link_id is not null and is_initialized;

create function note_payment_link() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op = 'INSERT' then
    insert into list_change values ('payment_link', new.organization_id, new.created_at, new.id, '', 0, 1);
  else
    insert into list_change values ('payment_link', old.organization_id, old.created_at, old.id, '', 0, -1);
  end if;
  return null;
end $$;
create trigger payment_link_comes_or_goes after insert or delete on payment_link
  for each row execute function note_payment_link();

-- The payments of a saved card, and those of a payment link, are one list each.
create or replace function note_payment() returns trigger language plpgsql set search_path from current as $$
declare
  was uuid; is_now uuid;
begin
  if tg_op <> 'INSERT' then was := coalesce(old.payment_method_id, old.payment_link_id); end if;
  if tg_op <> 'DELETE' then is_now := coalesce(new.payment_method_id, new.payment_link_id); end if;
  if was is not null and old.is_initialized then
    insert into list_change values ('payment', was, old.created_at, old.id, old.status, 0, -1);
  end if;
  if is_now is not null and new.is_initialized then
    insert into list_change values ('payment', is_now, new.created_at, new.id, new.status, 0, 1);
  end if;
  return null;
end $$;

-- Down Migration

create or replace function note_payment() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op <> 'INSERT' and old.payment_method_id is not null and old.is_initialized then
    insert into list_change values ('payment', old.payment_method_id, old.created_at, old.id, old.status, 0, -1);
  end if;
  if tg_op <> 'DELETE' and new.payment_method_id is not null and new.is_initialized then
    insert into list_change values ('payment', new.payment_method_id, new.created_at, new.id, new.status, 0, 1);
  end if;
  return null;
end $$;
create or replace view listed as
select 'payment_method' as list, organization_id as owner, created_at, id, status, expiry_month from payment_method
union all
select 'one_time_payment', organization_id, created_at, id, status, 0 from one_time_payment
union all
select 'payment', payment_method_id, created_at, id, status, 0 from payment
where payment_method_id is not null and is_initialized
union all
select 'product', organization_id, created_at, id, status, 0 from product;
drop index payment_by_link, payment_link_attempt;
alter table payment drop constraint payment_source_check, add constraint payment_source_check
  check (source in ('SAVED_CARD', 'ONE_TIME_PAYMENT', 'PAYMENT_INTENT')) not valid;
alter table payment drop column attempt_id, drop column payment_link_id;
drop table payment_link;
drop function note_payment_link;
