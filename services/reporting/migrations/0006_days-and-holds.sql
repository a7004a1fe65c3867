-- Up Migration

-- Why a payment was declined. Null for other payments, and, until the next rebuild, for declines that an older release projected.
alter table payment add column if not exists decline_code text;

create index if not exists payment_refunded on payment (organization_id, refunded_at) where refunded_at is not null;
create index if not exists payment_held on payment (organization_id, (least(hold_expires_at, capture_before)), id)
  where status = 'HELD';
create index if not exists payment_by_external_id on payment (organization_id, external_id) where external_id is not null;
create index if not exists payment_by_source on payment (organization_id, source, created_at desc, id desc)
  where status is not null;

-- Down Migration

drop index payment_by_source, payment_by_external_id, payment_held, payment_refunded;
alter table payment drop column decline_code;
