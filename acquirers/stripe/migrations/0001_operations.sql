-- Up Migration
create table operation (
  key uuid primary key,
  kind text check (kind in ('tokenize', 'authorize', 'sale', 'capture', 'void', 'refund')),
  identity text,
  amount bigint check (amount > 0),
  intent_id text,
  sent_at timestamptz(3),
  closing_at timestamptz(3),
  closed_at timestamptz(3),
  answer jsonb,
  reference text,
  ended_by uuid,
  accepted_at timestamptz(3) not null default clock_timestamp(),
  constraint operation_named check (closed_at is not null or num_nulls(kind, identity) = 0),
  constraint operation_ends_once check (closed_at is null or answer is null),
  constraint operation_sent_by_id check (sent_at is null or intent_id is not null)
);
comment on table operation is 'An operation of the acquirer protocol, by its key. Real time.';
comment on column operation.identity is 'What must be the same in two requests with one key; for a card a keyed hash of its number.';
comment on column operation.intent_id is 'PaymentIntent at Stripe: the one that the charge made, or the one that a capture, void or refund is about.';
comment on column operation.sent_at is 'Committed before the first request to Stripe that can move money. While it is null the key can be closed.';
comment on column operation.closing_at is 'Since then an inquiry cancels the PaymentIntent, and the request itself decides nothing any more.';
comment on column operation.closed_at is 'Nothing was done under the key, and nothing will be.';
comment on column operation.answer is 'What the operation was answered; written once.';
comment on column operation.ended_by is 'Of an authorization: the capture or void that ends it, or tries to.';
create index operation_reference on operation (reference) where reference is not null;
create index operation_intent on operation (intent_id) where intent_id is not null;
create index operation_open on operation (sent_at) where answer is null and closed_at is null;

create table card (
  token text primary key,
  customer_id text,
  spent_by uuid,
  saved_by uuid not null
);
comment on table card is 'A PaymentMethod at Stripe, by its id. Without a customer it is good for one attempt.';
comment on column card.spent_by is 'The charge that used up a card without a customer.';

-- Down Migration
drop table card, operation;
