-- Up Migration

-- Whether it was published that the hold's last day has begun.
alter table hold add column ending_announced boolean not null default false;
create index hold_ending on hold (expires_at) where status = 'HELD' and not ending_announced;

-- Down Migration

drop index hold_ending;
alter table hold drop column ending_announced;
