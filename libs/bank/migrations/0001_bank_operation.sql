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
);
comment on table bank_operation is 'What the bank was asked, written before it is asked. Real time, not business time.';
comment on column bank_operation.id is 'The idempotency key that the bank gets.';
comment on column bank_operation.subject_id is 'The payment or saved card.';
comment on column bank_operation.unanswered_at is 'When the call ended without an answer; null while it runs.';
create unique index bank_operation_open on bank_operation (subject_id) where status = 'open';
create index bank_operation_inquire on bank_operation (inquire_at) where status = 'open';
create index bank_operation_subject on bank_operation (subject_id, claimed_at);

-- Down Migration
drop table bank_operation;
