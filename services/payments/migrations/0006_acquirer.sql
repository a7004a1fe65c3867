-- Up Migration

-- Older rows, and those that release 0.1.0 writes, belong to the acquirer at BANK_URL.
alter table payment_method add column acquirer text not null default 'default';
comment on column payment_method.acquirer is 'Whose vault gave the token. The card is charged there for its whole life.';
alter table payment add column acquirer text not null default 'default';
comment on column payment.acquirer is 'Whose token was charged. The payment is inquired about and refunded there.';

create table acquirer_choice (
  organization_id uuid primary key,
  acquirer text not null,
  fallback text check (fallback <> acquirer),
  chosen_at timestamptz(3) not null default clock_timestamp()
);
comment on table acquirer_choice is 'Where the new cards of an organization go. One without a row uses the acquirer at BANK_URL.';
comment on column acquirer_choice.fallback is 'Where a card that is saved or pays a link goes instead, if the vault of the first provably got nothing.';

create table acquirer_reconciliation (
  acquirer text not null,
  day date not null,
  finished_at timestamptz(3) not null default clock_timestamp(),
  differences bigint not null,
  report jsonb not null,
  primary key (acquirer, day)
);
comment on table acquirer_reconciliation is 'What came of comparing an acquirer''s books of a day with ours. reconciliation stays for release 0.1.0, which reads and writes it.';
insert into acquirer_reconciliation (acquirer, day, finished_at, differences, report)
  select 'default', day, finished_at, differences, report from reconciliation;

-- Down Migration

drop table acquirer_reconciliation, acquirer_choice;
alter table payment drop column acquirer;
alter table payment_method drop column acquirer;
