-- Up Migration

alter table operation add column if not exists keys_used integer not null default 0;
alter table operation add column if not exists repeated_at timestamptz(3);
comment on column operation.keys_used is 'How many keys of Stripe were used up, because Stripe answers a repeat with the failure of the first request. Committed before the next key is sent.';
comment on column operation.repeated_at is 'Committed before each repeat of a capture, void or refund.';

-- Down Migration

alter table operation drop column keys_used, drop column repeated_at;
