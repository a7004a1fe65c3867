-- Up Migration

-- Whether it was published that the hold's last day has begun.
alter table hold add column if not exists ending_announced boolean not null default false;
create index if not exists hold_ending on hold (expires_at) where status = 'HELD' and not ending_announced;

-- Down Migration

drop index hold_ending;
alter table hold drop column ending_announced;
