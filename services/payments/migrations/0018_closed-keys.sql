-- Up Migration

-- A constant default is kept in the catalogue: no row is written.
alter table payment add column if not exists closed_keys integer not null default 0;
comment on column payment.closed_keys is 'Keys that its acquirer has closed to be asked again under another. The next attempt of its period has a new one.';

-- Down Migration

alter table payment drop column closed_keys;
