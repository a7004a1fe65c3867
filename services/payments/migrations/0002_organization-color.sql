-- Up Migration
alter table organization add column color text;
comment on column organization.color is 'Of its checkout page, as #rrggbb; null where it has none of its own.';

-- Down Migration
alter table organization drop column color;
