-- Up Migration
create table reconciliation (
  day date primary key,
  finished_at timestamptz not null default clock_timestamp(),
  differences bigint not null,
  report jsonb not null
);
comment on table reconciliation is 'What came of comparing the bank''s books of a natural day with ours, the last time that it was done.';
comment on column reconciliation.finished_at is 'Real time, not business time.';

-- Down Migration
drop table reconciliation;
