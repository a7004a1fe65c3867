-- Up Migration
create table organization (
  id uuid primary key,
  name text not null,
  website_url text,
  color text,
  sequence bigint not null
);
comment on table organization is 'What the hosted checkout and fee channels need of an organization; the gateway owns it.';
comment on column organization.color is 'The colour of its checkout page, as #rrggbb; null where it has none of its own.';

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
  expiry_month integer not null generated always as (expiration_year * 12 + expiration_month) stored,
  billing jsonb,
  created_at timestamptz(3) not null,
  version integer not null default 1
);
comment on column payment_method.fingerprint is 'Keyed hash of number and expiry: shows whether a repeated save is for the same card.';
comment on column payment_method.sealed_token is 'The bank''s vault token, AES-256-GCM, bound to the id of this row.';
create unique index payment_method_external_id on payment_method (organization_id, external_id)
  where external_id is not null and status <> 'REVOKED';
create index payment_method_list on payment_method (organization_id, created_at desc, id desc);
create index payment_method_by_status on payment_method (organization_id, status, created_at desc, id desc);

create table one_time_payment (
  id uuid primary key,
  organization_id uuid not null,
  external_id text,
  request_digest bytea not null,
  status text not null default 'PENDING' check (status in ('PENDING', 'CONFIRMED', 'CANCELLED')),
  description text not null,
  amount bigint not null check (amount > 0),
  currency char(3) not null check (currency = 'MXN'),
  expires_at timestamptz(3) not null,
  redirect_url text,
  homepage_url text,
  allowed_terms integer[] not null check (cardinality(allowed_terms) > 0),
  billing jsonb,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version integer not null default 1
);
comment on table one_time_payment is 'A link that is paid once. Past expires_at its status stays; the clock says that it has expired.';
comment on column one_time_payment.request_digest is 'SHA-256 of the request as it was sent: shows whether a repeated externalId asks for the same.';
create unique index one_time_payment_external_id on one_time_payment (organization_id, external_id)
  where external_id is not null;
create index one_time_payment_list on one_time_payment (organization_id, created_at desc, id desc);
create index one_time_payment_by_status on one_time_payment (organization_id, status, created_at desc, id desc);

-- Codes end where a JSON number is no longer exact.
create sequence operation_code start 100001 maxvalue 9007199254740991;

create table payment (
  id uuid primary key,
  organization_id uuid not null,
  payment_method_id uuid references payment_method (id),
  one_time_payment_id uuid references one_time_payment (id),
  payment_intent_id uuid,
  terminal_id uuid,
  salesperson_id uuid,
  branch_id uuid,
  type text not null check (type in ('CARD_PRESENT', 'CARD_NOT_PRESENT')),
  source text not null check (source in ('SAVED_CARD', 'ONE_TIME_PAYMENT', 'PAYMENT_INTENT')),
  status text not null check (status in
    ('NOT_INITIALIZED', 'PENDING', 'CONFIRMED', 'CANCELLED', 'REFUNDED', 'HELD', 'HOLD_RELEASED', 'HOLD_EXPIRED')),
  is_initialized boolean not null generated always as (status <> 'NOT_INITIALIZED') stored,
  takes_source boolean not null
    generated always as (source <> 'SAVED_CARD' and status in ('PENDING', 'CONFIRMED', 'REFUNDED')) stored,
  hold_funds boolean not null,
  amount bigint not null check (amount > 0),
  held_amount bigint check (amount <= held_amount),
  currency char(3) not null check (currency = 'MXN'),
  external_id text,
  attempt_digest bytea,
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
) with (
  -- Leaves room in the page for a settlement's new version of the row, so that the settlement writes into no index.
  fillfactor = 90,
  -- By the server's own setting, vacuum comes after a fifth of ten million rows is dead: too many.
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02
);
comment on column payment.is_initialized is 'Stands in indexes for the status, which would have each settlement write into them.';
comment on column payment.takes_source is 'Whether it has paid its link or intent, or may still.';
comment on column payment.amount is 'Centavos that moved or will move.';
comment on column payment.rates is 'The fee channel''s rates, frozen; null where none was found (a hold).';
comment on column payment.attempt_digest is 'Keyed hash of a page''s token and the card: the same form sent again finds its payment.';
comment on column payment.terminal_id is 'Where the card was taken; intents owns terminals, branches and salespeople.';
create unique index payment_external_id on payment (organization_id, external_id)
  where external_id is not null and source = 'SAVED_CARD';
create index payment_of_method on payment (payment_method_id, created_at desc, id desc) where is_initialized;
-- However many people, tabs and replicas pay at once, at most one attempt is under way and at most one payment stands.
create unique index payment_of_link on payment (one_time_payment_id) where takes_source and one_time_payment_id is not null;
create unique index payment_attempt on payment (one_time_payment_id, attempt_digest)
  where attempt_digest is not null and is_initialized;
-- Whatever intents asks for, at most one charge of an intent is under way and at most one payment stands.
create unique index payment_of_intent on payment (payment_intent_id) where takes_source and payment_intent_id is not null;
create index payment_by_intent on payment (payment_intent_id, created_at desc, id desc) where payment_intent_id is not null;

create table tap (
  payment_id uuid primary key references payment (id),
  sealed_card bytea not null,
  charge_before timestamptz(3) not null,
  tries integer not null default 0,
  try_at timestamptz(3) not null default clock_timestamp()
);
comment on table tap is 'A card that was presented and whose charge has no outcome yet. Real time, not business time.';
comment on column tap.sealed_card is 'The vault''s single-use token, AES-256-GCM by TAP_KEY, bound to the payment; gone with the row.';
create index tap_due on tap (try_at);

create table reconciliation (
  day date primary key,
  finished_at timestamptz not null default clock_timestamp(),
  differences bigint not null,
  report jsonb not null
);
comment on table reconciliation is 'What came of comparing the bank''s books of a natural day with ours, the last time that it was done.';
comment on column reconciliation.finished_at is 'Real time, not business time.';

-- Down Migration
drop table reconciliation, tap, payment, one_time_payment, payment_method, fee_channel, organization;
drop sequence operation_code;
