-- Up Migration

-- One row per payment. Each fact is set once, by whichever event tells it; a row whose making (created_at and all that
-- belongs to it) has not been told yet has no status and is shown to nobody.
create table payment (
  id uuid primary key,
  organization_id uuid not null,
  created_at timestamptz(3),
  -- Real time at which the row came into the lists: a walk that began before does not show it.
  listed_at timestamptz,
  type text,
  source text,
  operation_code bigint,
  external_id text,
  currency text,
  -- Centavos that were charged or held.
  placed_amount bigint check (placed_amount > 0),
  terms integer check (terms > 0),
  -- Basis points, frozen when the payment was made; null where no fee channel was found.
  rates jsonb,
  last_four_digits text,
  network text,
  funding_source text,
  issuing_bank text,
  entry_mode text,
  billing jsonb,
  payment_method_id uuid,
  one_time_payment_id uuid,
  payment_intent_id uuid,
  -- The bank's answer to the charge or hold.
  transaction jsonb,
  confirmed_at timestamptz(3),
  declined_at timestamptz(3),
  held_at timestamptz(3),
  hold_expires_at timestamptz(3),
  captured_at timestamptz(3),
  captured_amount bigint check (captured_amount > 0),
  capture_transaction jsonb,
  released_at timestamptz(3),
  expired_at timestamptz(3),
  refunded_at timestamptz(3),
  -- Centavos and basis points, computed once when the money moved.
  disbursement jsonb,
  amount bigint generated always as (coalesce(captured_amount, placed_amount)) stored,
  status text generated always as (
    case
      when created_at is null then null
      when refunded_at is not null then 'REFUNDED'
      when confirmed_at is not null or captured_at is not null then 'CONFIRMED'
      when expired_at is not null then 'HOLD_EXPIRED'
      when released_at is not null then 'HOLD_RELEASED'
      when held_at is not null then 'HELD'
      when declined_at is not null then 'CANCELLED'
    end
  ) stored,
  constraint payment_made_whole check (
    created_at is null
    or num_nulls(
      listed_at, type, source, operation_code, currency, placed_amount, terms, last_four_digits, network,
      funding_source, issuing_bank, transaction
    ) = 0
  ),
  constraint payment_held_whole check (num_nulls(held_at, hold_expires_at) <> 1),
  constraint payment_captured_whole check (num_nulls(captured_at, captured_amount, capture_transaction) in (0, 3))
) with (fillfactor = 85);

create index payment_by_organization on payment (organization_id, created_at desc, id desc) where status is not null;
create index payment_by_status on payment (organization_id, status, created_at desc, id desc) where status is not null;
create index payment_by_operation_code on payment (organization_id, operation_code) where status is not null;
create index payment_by_payment_method on payment (payment_method_id, created_at desc, id desc)
  where payment_method_id is not null;
create index payment_by_one_time_payment on payment (one_time_payment_id) where one_time_payment_id is not null;
create index payment_by_payment_intent on payment (payment_intent_id) where payment_intent_id is not null;

create table organization (
  id uuid primary key,
  name text not null,
  partner_id uuid,
  -- Of the event that told this: an older one changes nothing.
  sequence bigint not null
);

create index organization_by_partner on organization (partner_id) where partner_id is not null;

-- Down Migration

drop table organization;
drop table payment;
