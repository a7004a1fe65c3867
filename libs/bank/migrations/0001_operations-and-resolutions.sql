-- Up Migration
create table bank_operation (
  id uuid primary key,
  purpose text not null check (purpose in ('save', 'charge', 'hold', 'capture', 'release', 'expire', 'refund')),
  subject_id uuid not null,
  amount bigint check (amount > 0),
  note text,
  status text not null default 'open' check (status in ('open', 'approved', 'declined', 'not_processed', 'not_sent')),
  claimed_at timestamptz(3) not null default clock_timestamp(),
  unanswered_at timestamptz(3),
  inquire_at timestamptz(3) not null,
  inquiries integer not null default 0,
  answer jsonb,
  settled_at timestamptz(3),
  check ((status = 'open') = (settled_at is null))
) with (
  -- By the server's own setting vacuum would come only when a fifth of ten million rows are dead.
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02
);
comment on table bank_operation is 'What the bank was asked, written before it is asked. Real time, not business time.';
comment on column bank_operation.id is 'The idempotency key that the bank gets.';
comment on column bank_operation.subject_id is 'The payment or saved card.';
comment on column bank_operation.unanswered_at is 'When the call ended without an answer; null while it runs.';
create unique index bank_operation_open on bank_operation (subject_id) where status = 'open';
create index bank_operation_inquire on bank_operation (inquire_at) where status = 'open';
create index bank_operation_subject on bank_operation (subject_id, claimed_at);
create index bank_operation_not_sent on bank_operation (settled_at) where status = 'not_sent';
-- Reconciliation reads a day's operations by the hour, in the order of their keys.
create index bank_operation_answered on bank_operation (left(answer ->> 'time', 13), id)
  where status in ('approved', 'declined') and purpose <> 'save';

-- A service's role only inserts into the tables of resolutions and reads them.
create table bank_resolution (
  id uuid primary key,
  operation_id uuid not null,
  ending jsonb not null,
  decided_by text not null,
  session_role text not null default session_user,
  reason text not null,
  before jsonb not null,
  decided_at timestamptz(3) not null default clock_timestamp()
);
comment on table bank_resolution is 'How operators say that operations ended whose outcome we could not learn. Kept for ever. Real time, not business time.';
comment on column bank_resolution.ending is 'What the bank said to the operator, in the form of the bank''s own answers.';
comment on column bank_resolution.decided_by is 'Who decided, as the operator typed it.';
comment on column bank_resolution.session_role is 'The role that the operator''s command connected as. Postgres fills it in, whatever is inserted.';
comment on column bank_resolution.before is 'The operation as it was.';
create unique index bank_resolution_of_operation on bank_resolution (operation_id);

create function stamp_resolution() returns trigger language plpgsql as $$
begin
  new.session_role := session_user;
  new.decided_at := clock_timestamp();
  return new;
end $$;
create trigger stamp_resolution before insert on bank_resolution for each row execute function stamp_resolution();

create table bank_resolution_applied (
  resolution_id uuid primary key references bank_resolution,
  after jsonb not null,
  applied_at timestamptz(3) not null default clock_timestamp()
);
comment on table bank_resolution_applied is 'The resolutions that closed their operations. The others wait, or the bank''s own answer came first.';
comment on column bank_resolution_applied.after is 'The operation as the resolution closed it.';

-- Down Migration
drop table bank_resolution_applied, bank_resolution, bank_operation;
drop function stamp_resolution;
