-- Up Migration

alter table payment add column if not exists subscription_id uuid, add column if not exists periodicity text;

-- Down Migration

alter table payment drop column if exists subscription_id, drop column if exists periodicity;
