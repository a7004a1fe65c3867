-- Up Migration

-- Events whose state change has committed and which the broker has not confirmed yet; a row is deleted once it has.
-- Debezium's EventRouter reads the same table with table.field.event.id=event_id, table.field.event.key=aggregate_id,
-- table.field.event.payload=envelope, route.by.field=type, table.fields.additional.placement=headers:header.
create table outbox (
  id bigint generated always as identity primary key,
  event_id uuid not null,
  aggregate_id text not null,
  type text not null,
  -- As it is sent, byte for byte: text, because jsonb would reorder the keys and cost a parse.
  envelope text not null,
  -- W3C trace context of the request that caused the event.
  headers jsonb not null,
  created_at timestamptz not null default clock_timestamp()
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- Who writes an event looks whether an earlier one of its aggregate still waits.
create index outbox_aggregate_id on outbox (aggregate_id);

-- Events whose effect has committed here: the second copy of an event finds its id and changes nothing.
create table inbox (
  event_id uuid primary key,
  consumed_at timestamptz not null default clock_timestamp()
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- Rows come in the order of time, so a block range index finds the old ones and costs next to nothing on insert.
create index inbox_consumed_at on inbox using brin (consumed_at) with (autosummarize = on);

-- Down Migration

drop table inbox;
drop table outbox;
