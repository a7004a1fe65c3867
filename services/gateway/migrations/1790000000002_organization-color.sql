-- Up Migration

alter table organizations add column color text check (color ~ '^#[0-9a-f]{6}$');
comment on column organizations.color is 'Of the merchant''s checkout page; null where it has none of its own.';

-- Down Migration

alter table organizations drop column color;
