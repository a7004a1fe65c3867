-- Up Migration

-- The outward events of 30 days, one row each. Rows never change.
create table event (
  -- When the row was written: microseconds of real time. Walks through the feed go by it.
  position bigint primary key,
  id uuid not null unique,
  organization_id uuid not null,
  type text not null,
  -- The object that it is about, such as a payment or a saved card.
  object_id uuid not null,
  -- Business time at which it happened.
  created_at timestamptz(3) not null,
  -- The object as merchants read it. It is json, because jsonb would change the order of the fields.
  data json not null
) with (
  -- A fifth of ten million rows, the server's own setting, is too many dead ones before vacuum comes.
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02
);
create index event_of_organization on event (organization_id, position);

-- A transaction that takes a position locks out all others until it ends. So positions become visible in order, and a reader that
-- has passed one has missed none before it.
create function next_position() returns bigint language plpgsql as $$
begin
  perform pg_advisory_xact_lock('event'::regclass::oid::bigint);
  return greatest(
    (extract(epoch from clock_timestamp()) * 1000000)::bigint,
    (select max(position) + 1 from event)
  );
end $$;
alter table event alter column position set default next_position();

create table organization (
  id uuid primary key,
  partner_id uuid,
  -- The sequence of the event behind this row: an older event changes nothing.
  sequence bigint not null
);
create index organization_by_partner on organization (partner_id) where partner_id is not null;

-- Down Migration

drop table organization;
drop table event;
drop function next_position;
