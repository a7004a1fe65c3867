-- Up Migration

-- Replaced by payment_by_status_and_type and payment_of_payment_method. Nothing fails without these two, but a replica of the version
-- before reads slowly: in a rolling deploy of a large system this file comes after the last old replica has gone.
drop index if exists payment_by_status;
drop index if exists payment_by_payment_method;

-- Down Migration

create index payment_by_status on payment (organization_id, status, created_at desc, id desc) where status is not null;
create index payment_by_payment_method on payment (payment_method_id, created_at desc, id desc)
  where payment_method_id is not null;
