-- Up Migration
create table organization (
  id uuid primary key,
  name text not null,
  website_url text,
  sequence bigint not null
);
comment on table organization is 'What the hosted checkout and fee channels need of an organization; the gateway owns it.';

create table fee_channel (
  organization_id uuid not null,
  type text not null check (type in ('CARD_PRESENT', 'CARD_NOT_PRESENT')),
  network text,
  funding_source text,
  terms integer not null check (terms >= 1),
  fee_bps integer not null check (fee_bps between 0 and 10000),
  promotion_fee_discount_bps integer not null default 0 check (promotion_fee_discount_bps between 0 and fee_bps),
  promotion_business_take_bps integer not null default 0 check (promotion_business_take_bps between 0 and 10000),
  unique nulls not distinct (organization_id, type, network, funding_source, terms)
);
comment on table fee_channel is 'Rates in basis points; null network or funding source stands for any.';

create table payment_method (
  id uuid primary key,
  organization_id uuid not null,
  external_id text,
  status text not null check (status in ('PENDING', 'ACTIVE', 'REVOKED')),
  fingerprint bytea not null,
  sealed_token bytea,
  last_four_digits text not null,
  network text not null,
  funding_source text not null,
  issuing_bank text not null,
  expiration_month integer not null,
  expiration_year integer not null,
  billing jsonb,
  created_at timestamptz(3) not null,
  version integer not null default 1
);
comment on column payment_method.fingerprint is 'Keyed hash of number and expiry: tells whether a repeated save is for the same card.';
comment on column payment_method.sealed_token is 'The bank''s vault token, AES-256-GCM, bound to the id of this row.';
create unique index payment_method_external_id on payment_method (organization_id, external_id)
  where external_id is not null and status <> 'REVOKED';
create index payment_method_list on payment_method (organization_id, created_at desc, id desc);

-- Codes end where a JSON number is no longer exact.
create sequence operation_code start 100001 maxvalue 9007199254740991;

create table payment (
  id uuid primary key,
  organization_id uuid not null,
  payment_method_id uuid references payment_method (id),
  type text not null check (type in ('CARD_PRESENT', 'CARD_NOT_PRESENT')),
  source text not null check (source in ('SAVED_CARD', 'ONE_TIME_PAYMENT', 'PAYMENT_INTENT')),
  status text not null check (status in
    ('NOT_INITIALIZED', 'PENDING', 'CONFIRMED', 'CANCELLED', 'REFUNDED', 'HELD', 'HOLD_RELEASED', 'HOLD_EXPIRED')),
  hold_funds boolean not null,
  amount bigint not null check (amount > 0),
  held_amount bigint check (amount <= held_amount),
  currency char(3) not null check (currency = 'MXN'),
  external_id text,
  description text,
  operation_code bigint not null default nextval('operation_code') unique,
  terms integer not null default 1,
  rates jsonb,
  card jsonb not null,
  billing jsonb,
  bank_reference text,
  capture_reference text,
  decline_code text,
  bank_transaction jsonb,
  created_at timestamptz(3) not null,
  held_at timestamptz(3),
  hold_expires_at timestamptz(3),
  captured_at timestamptz(3),
  hold_released_at timestamptz(3),
  refunded_at timestamptz(3),
  version integer not null default 1
);
comment on column payment.amount is 'Centavos that moved or will move.';
comment on column payment.rates is 'The fee channel''s rates, frozen; null where none was found (a hold).';
create unique index payment_external_id on payment (organization_id, external_id)
  where external_id is not null and source = 'SAVED_CARD';
create index payment_of_method on payment (payment_method_id, created_at desc, id desc)
  where status <> 'NOT_INITIALIZED';

-- Down Migration
drop table payment;
drop sequence operation_code;
drop table payment_method;
drop table fee_channel;
drop table organization;
