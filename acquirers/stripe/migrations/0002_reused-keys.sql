-- Up Migration

alter table operation add column if not exists reused_at timestamptz(3);
comment on column operation.reused_at is 'When Stripe said that it knows the key by another request, whose row was lost. That request may have moved money, so the key is neither closed nor sent again.';

-- Down Migration

alter table operation drop column reused_at;
