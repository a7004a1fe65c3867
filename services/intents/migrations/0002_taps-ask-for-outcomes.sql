-- Up Migration
alter table intent_attempt
  add column payment_request jsonb,
  add column ask_at timestamptz(3) not null default clock_timestamp() + interval '2 seconds';
comment on column intent_attempt.payment_request is 'IntentPaymentRequested, handed over again while payments does not know the payment. Null once the attempt has ended, because it has the sealed card.';
comment on column intent_attempt.ask_at is 'When payments is asked next for the outcome. Real time, not business time.';
create index intent_attempt_asking on intent_attempt (ask_at) where status = 'REQUESTED';

-- Down Migration
alter table intent_attempt drop column payment_request, drop column ask_at;
