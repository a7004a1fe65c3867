-- Up Migration

-- The addresses to which merchants' events are sent.
create table webhook_endpoint (
  id uuid primary key,
  organization_id uuid not null,
  url text not null,
  -- Types and families of types.
  types text[] not null,
  description text,
  status text not null default 'ENABLED' check (status in ('ENABLED', 'PAUSED', 'DISABLED')),
  sealed_secret bytea not null,
  -- The previous secret, and the real time until which requests are signed with it as well.
  sealed_old_secret bytea,
  old_secret_until timestamptz(3),
  created_at timestamptz(3) not null,
  last_delivery_at timestamptz(3),
  failing_since timestamptz(3),
  -- When it worked again, or was enabled again: deliveries tried before are due at once. Null when none of them is left.
  recovered_at timestamptz(3),
  -- Real time until which only one process sends to it.
  leased_until timestamptz,
  constraint webhook_endpoint_old_secret_whole check (num_nulls(sealed_old_secret, old_secret_until) <> 1)
);
create index webhook_endpoint_of_organization on webhook_endpoint (organization_id);

-- An event on its way to an endpoint, and its log for 30 days. Times are business time.
create table delivery (
  id uuid primary key default gen_random_uuid(),
  endpoint_id uuid not null references webhook_endpoint on delete cascade,
  event_id uuid not null,
  type text not null,
  -- The whole event if it is a sample, which is in no feed.
  sample json,
  status text not null default 'PENDING' check (status in ('PENDING', 'DELIVERED')),
  attempts integer not null default 0,
  created_at timestamptz(3) not null,
  last_attempt_at timestamptz(3),
  next_attempt_at timestamptz(3) not null,
  response_status integer,
  response_body text,
  error text,
  unique (endpoint_id, event_id)
) with (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02
);
create index delivery_due on delivery (endpoint_id, next_attempt_at) where status = 'PENDING';
create index delivery_log on delivery (endpoint_id, created_at desc, id desc);
create index delivery_by_time on delivery (created_at);

-- Down Migration

drop table delivery;
drop table webhook_endpoint;
