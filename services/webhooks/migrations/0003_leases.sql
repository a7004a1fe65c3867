-- Up Migration

-- A process that sends has a number for as long as its session lasts: it holds the advisory lock of the table and this number. An endpoint
-- is one process's while its number stands here and is held.
create sequence sender_number as integer cycle;
alter table webhook_endpoint add column leased_by integer, add column taken_at timestamptz, drop column leased_until;

-- Down Migration

alter table webhook_endpoint drop column taken_at, drop column leased_by, add column leased_until timestamptz;
drop sequence sender_number;
