-- Up Migration

-- Events whose change has committed and which the broker has not confirmed yet. A confirmed event's row is deleted.
-- Debezium's EventRouter reads the same table with table.field.event.id=event_id, table.field.event.key=aggregate_id,
-- table.field.event.payload=envelope, route.by.field=type, table.fields.additional.placement=headers:header.
create table outbox (
  id bigint generated always as identity primary key,
  event_id uuid not null,
  aggregate_id text not null,
  type text not null,
  routing_key text not null,
  -- As it is sent, byte for byte: text, because jsonb would reorder the keys and cost a parse.
  envelope text not null,
  -- W3C trace context of the request that caused the event.
  headers jsonb not null,
  created_at timestamptz not null default clock_timestamp()
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- Writing an event looks for earlier events of its aggregate that still wait.
create index outbox_aggregate_id on outbox (aggregate_id);

-- Events whose effect has committed here. The second copy of an event finds its id and changes nothing. The ids are UUIDs v7, in the
-- order of time, so the primary key finds the old ones.
create table inbox (
  event_id uuid primary key,
  consumed_at timestamptz not null default clock_timestamp()
) with (
  -- A vacuum reads the whole primary key, so it comes after a share of the rows and not after each 2000.
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000
);

-- Down Migration

drop table inbox, outbox;
