-- Up Migration

-- Null in rows of earlier releases, and if nobody cancelled it.
alter table payment_intent
  add column cancelled_by text,
  add column cancel_reason text;
-- Not validated, because that would read the whole table under its lock; the rows so far have null.
alter table payment_intent add constraint payment_intent_cancelled_by
  check (cancelled_by is null or (cancelled_by in ('MERCHANT', 'TERMINAL') and status = 'CANCELLED')) not valid;

-- Down Migration

alter table payment_intent drop column cancelled_by, drop column cancel_reason;
