-- Up Migration

alter table payment add column if not exists payment_link_id uuid;
create index if not exists payment_by_link on payment (organization_id, payment_link_id, created_at desc, id desc)
  where payment_link_id is not null and status is not null;

-- Down Migration

drop index payment_by_link;
alter table payment drop column payment_link_id;
