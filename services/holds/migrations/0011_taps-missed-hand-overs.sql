-- Up Migration
create table missed_hand_over (
  event_id uuid primary key,
  envelope jsonb not null,
  missed_at timestamptz(3) not null default clock_timestamp(),
  try_at timestamptz(3) not null default clock_timestamp()
);
comment on table missed_hand_over is 'Ends of holds that could not be handed over to payments and have not been since. While there is one, payments asks before it shows HELD. Real time, not business time.';
create index missed_hand_over_due on missed_hand_over (try_at);

-- Down Migration
drop table missed_hand_over;
