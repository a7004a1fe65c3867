-- Up Migration
alter table payment
  add column payment_intent_id uuid,
  add column terminal_id uuid,
  add column salesperson_id uuid,
  add column branch_id uuid;
comment on column payment.terminal_id is 'Where the card was taken; intents owns terminals, branches and salespeople.';
-- Whatever intents asks for: one charge of an intent is under way at the most, and one payment stands.
create unique index payment_of_intent on payment (payment_intent_id)
  where status in ('PENDING', 'CONFIRMED', 'REFUNDED') and payment_intent_id is not null;
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

-- Down Migration
drop table tap;
alter table payment
  drop column payment_intent_id,
  drop column terminal_id,
  drop column salesperson_id,
  drop column branch_id;
