-- Up Migration

-- How many payments of a kind an organization has in each month and on each day. A kind is what the partner list filters by. Days and
-- months are in UTC-6, Mexico City's only time since 2022; ranges that begin or end within a day count rows there.
create table payment_tally (
  organization_id uuid not null,
  span text not null check (span in ('month', 'day')),
  -- The span's first day.
  starts date not null,
  status text not null,
  type text not null,
  terms integer not null,
  issuing_bank text not null,
  payments integer not null,
  primary key (organization_id, span, starts, status, type, terms, issuing_bank) include (payments)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);

create index payment_tally_emptied on payment_tally (organization_id) where payments = 0;

-- Changes that the tallies do not contain yet. Projections only append here, so they never wait for the same row of a tally; a job adds
-- the changes to the tallies.
create table payment_change (
  id bigint generated always as identity primary key,
  organization_id uuid not null,
  day date not null,
  status text not null,
  type text not null,
  terms integer not null,
  issuing_bank text not null,
  change integer not null check (change in (-1, 1))
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

create index payment_change_of_organization on payment_change (organization_id);

-- The tallies and the changes that they do not contain yet: their sum is exact at any moment.
create view payment_count as
select organization_id, span, starts, status, type, terms, issuing_bank, payments from payment_tally
union all
select organization_id, span, case span when 'month' then date_trunc('month', day::timestamp)::date else day end, status, type, terms,
  issuing_bank, change
from payment_change cross join unnest(array['month', 'day']) as span;

create function note_payment_change() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.status is not null then
    insert into payment_change (organization_id, day, status, type, terms, issuing_bank, change)
    values (
      old.organization_id, (old.created_at at time zone interval '-06:00')::date, old.status, old.type, old.terms,
      old.issuing_bank, -1
    );
  end if;
  if tg_op <> 'DELETE' and new.status is not null then
    insert into payment_change (organization_id, day, status, type, terms, issuing_bank, change)
    values (
      new.organization_id, (new.created_at at time zone interval '-06:00')::date, new.status, new.type, new.terms,
      new.issuing_bank, 1
    );
  end if;
  return null;
end $$;

-- By trigger, because Postgres derives the status from the facts: whichever statement changes the facts, the tallies follow.
create trigger payment_comes_or_goes after insert or delete on payment
  for each row execute function note_payment_change();
create trigger payment_changes_kind after update on payment
  for each row
  when (
    (old.status, old.organization_id, old.created_at, old.type, old.terms, old.issuing_bank)
      is distinct from (new.status, new.organization_id, new.created_at, new.type, new.terms, new.issuing_bank)
  )
  execute function note_payment_change();

-- Down Migration

drop trigger payment_changes_kind on payment;
drop trigger payment_comes_or_goes on payment;
drop function note_payment_change;
drop view payment_count;
drop table payment_change;
drop table payment_tally;
