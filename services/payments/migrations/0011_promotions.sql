-- Up Migration

-- The sponsor of an organization's promotions. A promotion keeps its own when the organization's changes.
alter table organization add column partner_id uuid, add column partner_name text;

create table promotion (
  id uuid primary key,
  organization_id uuid not null,
  external_id text,
  request_digest bytea not null,
  name text not null,
  fee_discount_bps integer not null check (fee_discount_bps between 0 and 2000),
  business_take_bps integer not null check (business_take_bps between 0 and 5000),
  terms integer[] not null,
  types text[] not null,
  networks text[] not null,
  issuing_banks text[] not null,
  product_ids uuid[] not null,
  minimum_amount bigint check (minimum_amount > 0),
  max_payments integer check (max_payments > 0),
  counted bigint not null default 0,
  partner_id uuid not null,
  partner_name text not null,
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3) not null check (ends_at > starts_at),
  accepted_at timestamptz(3),
  ended_at timestamptz(3),
  listed_at timestamptz not null default clock_timestamp(),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- Without max_payments, what was given back may be added up before what was taken.
  check (max_payments is null or counted between 0 and max_payments)
) with (
  -- Each payment counts in its promotion's row, and in no index.
  fillfactor = 50
);
comment on table promotion is 'Who bears the fee of some payments. An empty list means any.';
comment on column promotion.request_digest is 'SHA-256 of the request as it was sent: shows whether a repeated externalId asks for the same.';
comment on column promotion.accepted_at is 'When its sponsor agreed, or when it was created where it costs the sponsor nothing.';
comment on column promotion.counted is 'Payments that carry it; those in promotion_use not yet.';
comment on column promotion.listed_at is 'Real time, not business time: a walk by cursor shows nothing that came after it began.';
create unique index promotion_external_id on promotion (organization_id, external_id) where external_id is not null;
create index promotion_list on promotion (organization_id, created_at desc, id desc);
create index promotion_of_partner on promotion (partner_id, created_at desc, id desc);
create index promotion_in_force on promotion (organization_id, ends_at) where ended_at is null;

-- For promotions without max_payments, claims and settlements only append here, so that no two of them wait for one row. A job adds
-- the rows to counted.
create table promotion_use (
  promotion_id uuid not null,
  change smallint not null
) with (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
  -- Truncating needs a lock that appends would wait for.
  vacuum_truncate = off
);
create index promotion_use_of_promotion on promotion_use (promotion_id);

create view promotion_with_count as
select promotion.*,
  (counted + coalesce((select sum(change) from promotion_use where promotion_id = promotion.id), 0))::bigint as payments_count
from promotion;

-- Down Migration

drop view promotion_with_count;
drop table promotion_use, promotion;
alter table organization drop column partner_name, drop column partner_id;
