-- Up Migration

-- Since when, in real time, the endpoint has asked for its types: reconciliation expects a delivery of each later event.
alter table webhook_endpoint add column asked_since timestamptz(3) not null default clock_timestamp();

-- A trigger, because processes of the older release change endpoints too.
create function note_asked() returns trigger language plpgsql as $$
begin
  new.asked_since := clock_timestamp();
  return new;
end $$;
create trigger webhook_endpoint_asked before update of types, status on webhook_endpoint
  for each row when (old.types is distinct from new.types or old.status = 'DISABLED')
  execute function note_asked();

create table event_reconciliation (
  day date primary key,
  -- Real time.
  finished_at timestamptz(3) not null default clock_timestamp(),
  differences bigint not null,
  report jsonb not null
);
comment on table event_reconciliation is 'What came of comparing a day''s events with what happened, the last time that it was done.';

-- Down Migration

drop table event_reconciliation;
drop trigger webhook_endpoint_asked on webhook_endpoint;
drop function note_asked;
alter table webhook_endpoint drop column asked_since;
