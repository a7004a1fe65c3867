-- Up Migration

-- Searches by a part of a code go by payment_by_code_part alone. Nothing fails without this index, but a replica of the version before
-- reads slowly: in a rolling deploy of a large system this file comes after the last old replica has gone.
drop index if exists payment_of_code;

-- Down Migration

create index payment_of_code on payment (operation_code) include (organization_id) where status is not null;
