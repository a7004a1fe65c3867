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
  sweep_tries integer not null default 0,
  sweep_again_at timestamptz(3),
  shown jsonb not null,
  version integer not null default 1,
  constraint hold_captured_whole check (
    (status = 'CAPTURED') = (captured_at is not null)
    and num_nulls(captured_amount, captured_at, bank_transaction) in (0, 3)
    and (status <> 'CAPTURED' or rates is not null)
  ),
  constraint hold_released_whole check ((status in ('RELEASED', 'EXPIRED')) = (released_at is not null))
) with (
  -- The server's default, a fifth, would leave too many dead rows of ten million before vacuum runs.
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02
);
comment on table hold is 'A hold from placement to its end. Amounts in centavos.';
comment on column hold.rates is 'Basis points, frozen when the hold was placed. Null where no fee channel was found.';
comment on column hold.bank_transaction is 'What the bank said when it captured.';
comment on column hold.shown is 'What merchants are shown of the payment besides the hold, as payments said when it was placed. Decides nothing.';
comment on column hold.sweep_tries is 'How often the bank did not let it expire. The pause before the next try grows with it.';
comment on column hold.sweep_again_at is 'Real time before which the sweep leaves it alone, after the bank did not let it expire.';
create index hold_due on hold (expires_at) where status = 'HELD';

create table missed_hand_over (
  event_id uuid primary key,
  envelope jsonb not null,
  missed_at timestamptz(3) not null default clock_timestamp(),
  try_at timestamptz(3) not null default clock_timestamp()
);
comment on table missed_hand_over is 'Ends of holds that could not be handed over to payments and have not been since. While there is one, payments asks before it shows HELD. Real time, not business time.';
create index missed_hand_over_due on missed_hand_over (try_at);

-- Down Migration
drop table missed_hand_over, hold;
