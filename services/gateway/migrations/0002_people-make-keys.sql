-- Up Migration

alter table api_keys
  -- Null if an operator made it.
  add column name text,
  add column created_by uuid,
  -- Written at most once a minute. It leaves changed_in as it is: a key that was used is the same key.
  add column last_used_at timestamptz(3),
  -- When a replaced key ends. Each process compares it with its own clock, so no job has to run at that time.
  add column revoke_at timestamptz(3),
  add column deleted_at timestamptz(3),
  -- SHA-256 of the key's owner and the form's id: one form makes one key.
  add column request_hash bytea unique check (octet_length(request_hash) = 32),
  -- Counts the changes: the sequence of its events.
  add column version integer not null default 1;

create index api_keys_of_organization on api_keys (organization_id, created_at) where deleted_at is null;
create index api_keys_of_partner on api_keys (partner_id, created_at) where deleted_at is null;

-- Down Migration

drop index api_keys_of_partner;
drop index api_keys_of_organization;
alter table api_keys
  drop column version,
  drop column request_hash,
  drop column deleted_at,
  drop column revoke_at,
  drop column last_used_at,
  drop column created_by,
  drop column name;
