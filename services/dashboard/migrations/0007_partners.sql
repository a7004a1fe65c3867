-- Up Migration

-- Whose organization it is, by its events; null also until one has come since this migration: `admin events retell` brings them.
alter table organization add column partner_id uuid;
create index organization_of_partner on organization (partner_id, name, id) where partner_id is not null;

-- Down Migration

alter table organization drop column partner_id;
