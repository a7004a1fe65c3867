-- Up Migration

-- A sending process has a number while its session lasts, and holds the advisory lock of this table and number. It has an endpoint
-- to itself while `leased_by` is its number and that lock is held.
create sequence sender_number as integer cycle;
alter table webhook_endpoint add column leased_by integer, add column taken_at timestamptz, drop column leased_until;

-- Down Migration

alter table webhook_endpoint drop column taken_at, drop column leased_by, add column leased_until timestamptz;
drop sequence sender_number;
