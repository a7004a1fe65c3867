-- Up Migration

alter table payment add column if not exists subscription_id uuid, add column if not exists periodicity text;
create index if not exists payment_by_subscription on payment (subscription_id, status, type, created_at desc, id desc)
  where status is not null and subscription_id is not null;

-- Down Migration

drop index payment_by_subscription;
alter table payment drop column subscription_id, drop column periodicity;
