-- Up Migration

-- The sales partner, from events; also null until an event arrives after this migration: `admin events retell` publishes them.
alter table organization add column partner_id uuid;
create index organization_of_partner on organization (partner_id, name, id) where partner_id is not null;

-- Down Migration

alter table organization drop column partner_id;
