-- Up Migration

-- Real time, written once a minute at most, so that polls rarely write.
alter table terminal add column if not exists seen_at timestamptz(3);

create index if not exists terminal_list on terminal (organization_id, created_at desc, id desc);
create index if not exists payment_intent_by_status on payment_intent (organization_id, status, created_at desc, id desc);
create index if not exists payment_intent_of_terminal on payment_intent (terminal_id, status, created_at desc, id desc)
  where terminal_id is not null;
create index if not exists intent_attempt_of_terminal on intent_attempt (terminal_id, requested_at desc);

-- Down Migration

drop index intent_attempt_of_terminal, payment_intent_of_terminal, payment_intent_by_status, terminal_list;
alter table terminal drop column seen_at;
