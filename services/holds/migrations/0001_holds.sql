-- Up Migration
create table hold (
  payment_id uuid primary key,
  organization_id uuid not null,
  payment_method_id uuid not null,
  status text not null check (status in ('HELD', 'CAPTURED', 'RELEASED', 'EXPIRED')),
  held_amount bigint not null check (held_amount > 0),
  captured_amount bigint check (captured_amount > 0 and captured_amount <= held_amount),
  bank_reference text not null,
  rates jsonb,
  held_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  captured_at timestamptz(3),
  released_at timestamptz(3),
  bank_transaction jsonb,
  sweep_again_at timestamptz(3),
  shown jsonb not null,
  version integer not null default 1,
  constraint hold_captured_whole check (
    (status = 'CAPTURED') = (captured_at is not null)
    and num_nulls(captured_amount, captured_at, bank_transaction) in (0, 3)
    and (status <> 'CAPTURED' or rates is not null)
  ),
  constraint hold_released_whole check ((status in ('RELEASED', 'EXPIRED')) = (released_at is not null))
);
comment on table hold is 'A hold from placement to its end. Amounts in centavos.';
comment on column hold.rates is 'Basis points, frozen when the hold was placed. Null where no fee channel was found.';
comment on column hold.bank_transaction is 'What the bank said when it captured.';
comment on column hold.shown is 'What merchants are shown of the payment besides the hold, as payments said when it was placed. Decides nothing.';
comment on column hold.sweep_again_at is 'Real time before which the sweep leaves it alone, after the bank did not let it expire.';
create index hold_due on hold (expires_at) where status = 'HELD';

-- Down Migration
drop table hold;
