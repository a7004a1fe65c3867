-- Up Migration
-- Rows of both tables are inserted and never changed, so the role of a service is granted no more than that.
create table bank_resolution_applied (
  resolution_id uuid primary key references bank_resolution,
  after jsonb not null,
  applied_at timestamptz(3) not null default clock_timestamp()
);
comment on table bank_resolution_applied is 'The resolutions that closed their operations. The others wait, or the bank''s own answer came first.';
comment on column bank_resolution_applied.after is 'The operation as the resolution closed it.';
insert into bank_resolution_applied (resolution_id, after, applied_at)
  select id, after, applied_at from bank_resolution where applied_at is not null;

drop index bank_resolution_waiting;
drop index bank_resolution_of_operation;
create unique index bank_resolution_of_operation on bank_resolution (operation_id);
alter table bank_resolution drop column after, drop column applied_at, add column session_role text not null default session_user;
comment on column bank_resolution.decided_by is 'Who decided, as the operator typed it.';
comment on column bank_resolution.session_role is 'The role that the operator''s command connected as. Postgres fills it in, whatever is inserted.';

create function stamp_resolution() returns trigger language plpgsql as $$
begin
  new.session_role := session_user;
  new.decided_at := clock_timestamp();
  return new;
end $$;
create trigger stamp_resolution before insert on bank_resolution for each row execute function stamp_resolution();

-- Down Migration
drop trigger stamp_resolution on bank_resolution;
drop function stamp_resolution;
alter table bank_resolution drop column session_role, add column after jsonb, add column applied_at timestamptz(3);
update bank_resolution set (after, applied_at) =
  (select after, applied_at from bank_resolution_applied where resolution_id = bank_resolution.id);
alter table bank_resolution add check ((applied_at is null) = (after is null));
drop index bank_resolution_of_operation;
create index bank_resolution_of_operation on bank_resolution (operation_id, decided_at);
create unique index bank_resolution_waiting on bank_resolution (operation_id) where applied_at is null;
drop table bank_resolution_applied;
