-- Up Migration

-- Reconciliation reads, by the hour, the intents that ended without money.
create index if not exists payment_intent_cancelled on payment_intent (updated_at, id) where status = 'CANCELLED';

-- Down Migration

drop index payment_intent_cancelled;
