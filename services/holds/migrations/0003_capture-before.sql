-- Up Migration

alter table hold add column if not exists capture_before timestamptz(3), add column if not exists let_go_at timestamptz(3);
comment on column hold.capture_before is 'When the network lets go of the money, as the bank said when it was placed. Null where it did not say.';
comment on column hold.let_go_at is 'Ten seconds before the bank declined a capture because the money was free already, so that the sweep is due at once.';

-- A hold ends at the earliest of the three times. hold_due stays for the gauge of open holds by day and for release 0.1.0.
create index if not exists hold_ends on hold (least(expires_at, capture_before, let_go_at)) where status = 'HELD';
create index if not exists hold_let_go on hold (let_go_at) where let_go_at is not null;
create index if not exists hold_ending_soonest on hold (least(expires_at, capture_before, let_go_at))
  where status = 'HELD' and not ending_announced;
drop index if exists hold_ending;

-- Down Migration

drop index hold_ending_soonest, hold_let_go, hold_ends;
create index hold_ending on hold (expires_at) where status = 'HELD' and not ending_announced;
alter table hold drop column let_go_at, drop column capture_before;
