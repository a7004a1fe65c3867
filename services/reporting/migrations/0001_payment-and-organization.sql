-- Up Migration

-- One row per payment. Each fact is set once, by the event that has it. Until the event of its making (created_at and
-- what belongs to it) has come, a row has no status and is shown to nobody.
create table payment (
  id uuid primary key,
  organization_id uuid not null,
  created_at timestamptz(3),
  -- Real time at which the row entered the lists. A walk that began earlier does not show it.
  listed_at timestamptz,
  type text,
  source text,
  operation_code bigint,
  external_id text,
  currency text,
  -- Centavos that were charged or held.
  placed_amount bigint check (placed_amount > 0),
  terms integer check (terms > 0),
  -- Basis points, frozen when the payment was made; null if no fee channel was found.
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
  -- Where and by whom the card was taken.
  terminal_id uuid,
  salesperson_id uuid,
  branch_id uuid,
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
) with (
  -- Room for the row's next state on its page.
  fillfactor = 85,
  -- Index-only scans need pages that vacuum has marked, and plans need statistics; a fifth of ten million rows is too long to wait.
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02
);

-- The developer list: the newest of each status and type, of an organization or of a saved card.
create index payment_by_status_and_type on payment (organization_id, status, type, created_at desc, id desc)
  where status is not null;
create index payment_of_payment_method on payment (payment_method_id, status, type, created_at desc, id desc)
  where status is not null and payment_method_id is not null;
create index payment_by_one_time_payment on payment (one_time_payment_id) where one_time_payment_id is not null;
create index payment_by_payment_intent on payment (payment_intent_id) where payment_intent_id is not null;
create index payment_by_operation_code on payment (organization_id, operation_code) where status is not null;

-- The partner list: the newest of each kind, and searches.
create index payment_by_kind on payment (organization_id, status, type, terms, issuing_bank, created_at desc, id desc)
  where status is not null;
create index payment_by_amount
  on payment (organization_id, amount, created_at desc, id desc) include (status, type, terms, issuing_bank)
  where status is not null;

-- Each part of three digits of an operation code, joined with a hash of the organization, so that a search reads only matches of the
-- given organizations. Codes have ten digits at most.
create function code_parts(organization_id uuid, code bigint) returns bigint[] language sql immutable parallel safe as $$
  select array_remove(array[
    (uuid_hash_extended(organization_id, 0) & -1024) | (code % 1000),
    case when code >= 1000 then (uuid_hash_extended(organization_id, 0) & -1024) | (code / 10 % 1000) end,
    case when code >= 10000 then (uuid_hash_extended(organization_id, 0) & -1024) | (code / 100 % 1000) end,
    case when code >= 100000 then (uuid_hash_extended(organization_id, 0) & -1024) | (code / 1000 % 1000) end,
    case when code >= 1000000 then (uuid_hash_extended(organization_id, 0) & -1024) | (code / 10000 % 1000) end,
    case when code >= 10000000 then (uuid_hash_extended(organization_id, 0) & -1024) | (code / 100000 % 1000) end,
    case when code >= 100000000 then (uuid_hash_extended(organization_id, 0) & -1024) | (code / 1000000 % 1000) end,
    case when code >= 1000000000 then (uuid_hash_extended(organization_id, 0) & -1024) | (code / 10000000 % 1000) end
  ], null)
$$;
-- Without fastupdate, because a search would have to read the whole list of entries that are not in the index yet.
create index payment_by_code_part on payment using gin (code_parts(organization_id, operation_code))
  with (fastupdate = off) where status is not null;

create table organization (
  id uuid primary key,
  name text not null,
  partner_id uuid,
  -- The sequence of the event that wrote the row; an older event changes nothing.
  sequence bigint not null
);

create index organization_by_partner on organization (partner_id) where partner_id is not null;

create table terminal (id uuid primary key, serial_number text not null, sequence bigint not null);
create table salesperson (id uuid primary key, name text not null, username text not null, sequence bigint not null);
create table branch (id uuid primary key, name text not null, sequence bigint not null);

-- Down Migration

drop table branch;
drop table salesperson;
drop table terminal;
drop table organization;
drop table payment;
drop function code_parts;
