-- Up Migration

alter table organizations
  add column support_email text,
  add column support_phone_number text,
  -- Null if it was never changed.
  add column updated_at timestamptz(3);

-- Down Migration

alter table organizations drop column updated_at, drop column support_phone_number, drop column support_email;
