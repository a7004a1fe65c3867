-- Up Migration
create table organization (
  id uuid primary key,
  name text not null,
  sequence bigint not null
);
comment on table organization is 'What a terminal shows of an organization; the gateway owns it.';

create table branch (
  id uuid primary key,
  organization_id uuid not null,
  name text not null,
  version integer not null default 1,
  created_at timestamptz(3) not null
);

create table salesperson (
  id uuid primary key,
  organization_id uuid not null,
  name text not null,
  username text not null,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  unique (organization_id, username)
);

create table terminal (
  id uuid primary key,
  organization_id uuid not null,
  serial_number text not null unique,
  branch_id uuid references branch (id),
  salesperson_id uuid references salesperson (id),
  version integer not null default 1,
  created_at timestamptz(3) not null
);
comment on table terminal is 'Its key is the gateway''s. Whoever changes what is open for a terminal locks its row first.';

create table payment_intent (
  id uuid primary key,
  organization_id uuid not null,
  external_id text not null,
  terminal_code text,
  terminal_id uuid references terminal (id),
  redirect_app_id text,
  amount bigint not null check (amount > 0),
  currency char(3) not null check (currency = 'MXN'),
  status text not null default 'PENDING' check (status in ('PENDING', 'CONFIRMED', 'CANCELLED')),
  charging_payment_id uuid,
  superseded_by uuid references payment_intent (id) deferrable initially deferred,
  payment_id uuid,
  payment_status text,
  operation_code bigint,
  trace jsonb not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version integer not null default 1,
  check (charging_payment_id is null or (status = 'PENDING' and terminal_id is not null)),
  check (num_nulls(payment_id, payment_status, operation_code) in (0, 3))
);
comment on column payment_intent.terminal_code is 'As it was sent; null where any terminal may take the intent.';
comment on column payment_intent.charging_payment_id is 'The payment whose outcome is not known yet. While it is set, the intent can end only by that outcome.';
comment on column payment_intent.superseded_by is 'The intent that took this one''s place. Set while a card is being charged, it takes effect if the card is declined.';
comment on column payment_intent.trace is 'W3C trace context of the request that made it: what its terminal does belongs to the same trace.';
comment on column payment_intent.payment_id is 'Our copy of the latest payment made for the intent; payments owns it.';
create unique index payment_intent_external_id on payment_intent (organization_id, external_id);
-- Even under concurrent creates, polls and payments, a terminal has at most one open intent and at most one card being charged.
create unique index payment_intent_open on payment_intent (terminal_id) where status = 'PENDING' and charging_payment_id is null;
create unique index payment_intent_charging on payment_intent (terminal_id) where charging_payment_id is not null;
create index payment_intent_pending on payment_intent (terminal_id) where status = 'PENDING';
create index payment_intent_unassigned on payment_intent (organization_id, created_at, id)
  where status = 'PENDING' and terminal_id is null;
create index payment_intent_expiring on payment_intent (expires_at) where status = 'PENDING' and charging_payment_id is null;
create index payment_intent_payment on payment_intent (payment_id) where payment_id is not null;

create table intent_attempt (
  intent_id uuid not null references payment_intent (id),
  attempt_id uuid not null,
  terminal_id uuid not null references terminal (id),
  request_digest bytea not null,
  status text not null check (status in ('REQUESTED', 'CONFIRMED', 'DECLINED')),
  payment_id uuid unique,
  operation_code bigint,
  decline_code text,
  last_four_digits text,
  network text,
  payment_request jsonb,
  requested_at timestamptz(3) not null default clock_timestamp(),
  ask_at timestamptz(3) not null default clock_timestamp() + interval '2 seconds',
  primary key (intent_id, attempt_id),
  check ((status = 'DECLINED') = (decline_code is not null)),
  check ((status = 'CONFIRMED') <= (num_nulls(payment_id, operation_code, last_four_digits, network) = 0)),
  check (status <> 'REQUESTED' or payment_id is not null)
);
comment on table intent_attempt is 'One tap of a card. The same attempt sent again is answered from here.';
comment on column intent_attempt.request_digest is 'Keyed hash of card and terms: shows whether a repeated attempt is the same.';
comment on column intent_attempt.payment_id is 'Chosen here, so that payments makes it once; null where the vault refused the card.';
comment on column intent_attempt.payment_request is 'IntentPaymentRequested, handed over again while payments does not know the payment. Null once the attempt has ended, because it has the sealed card.';
comment on column intent_attempt.ask_at is 'When payments is asked next for the outcome. Real time, not business time.';
create index intent_attempt_asking on intent_attempt (ask_at) where status = 'REQUESTED';

-- Down Migration
drop table intent_attempt, payment_intent, terminal, salesperson, branch, organization;
