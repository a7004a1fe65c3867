-- Up Migration
create table bank_resolution (
  id uuid primary key,
  operation_id uuid not null,
  ending jsonb not null,
  decided_by text not null,
  reason text not null,
  before jsonb not null,
  decided_at timestamptz(3) not null default clock_timestamp(),
  after jsonb,
  applied_at timestamptz(3),
  check ((applied_at is null) = (after is null))
);
comment on table bank_resolution is 'How operators say that operations ended whose outcome we could not learn. Kept for ever. Real time, not business time.';
comment on column bank_resolution.ending is 'What the bank told the operator, in the form of the bank''s own answers.';
comment on column bank_resolution.before is 'The operation as it was.';
comment on column bank_resolution.after is 'The operation as this resolution closed it; null where it waits, or where the bank''s own answer came first.';
create unique index bank_resolution_waiting on bank_resolution (operation_id) where applied_at is null;
create index bank_resolution_of_operation on bank_resolution (operation_id, decided_at);

-- Down Migration
drop table bank_resolution;
