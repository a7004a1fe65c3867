-- Up Migration

-- Every statement here may be run on a large, busy database beforehand: docs/growth.md says how, index by index.

-- How many payments of a kind an organization has, for all time, each month and each day. A kind is what the partner list filters by.
-- Days and months are those of UTC-6: Mexico City has had no other time since 2022, and whoever asks for other hours counts rows.
create table payment_tally (
  organization_id uuid not null,
  span text not null check (span in ('all', 'month', 'day')),
  -- The span's first day; of 'all' 1970-01-01.
  starts date not null,
  status text not null,
  type text not null,
  terms integer not null,
  issuing_bank text not null,
  payments bigint not null,
  primary key (organization_id, span, starts, status, type, terms, issuing_bank) include (payments)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);

-- What the tallies do not contain yet. Projections only append here, so no two of them wait for one row of a tally; a job adds the
-- changes to the tallies. A count is the tallies plus the changes, and so is exact at any moment.
create table payment_change (
  id bigint generated always as identity primary key,
  organization_id uuid not null,
  day date not null,
  status text not null,
  type text not null,
  terms integer not null,
  issuing_bank text not null,
  change smallint not null check (change in (-1, 1))
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

create index payment_change_of_organization on payment_change (organization_id, day);

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

-- By trigger, because status is what Postgres makes of the facts: whichever statement changes the facts, the tallies follow.
create trigger payment_comes_or_goes after insert or delete on payment
  for each row execute function note_payment_change();
create trigger payment_changes_kind after update on payment
  for each row
  when (
    (old.status, old.organization_id, old.created_at, old.type, old.terms, old.issuing_bank)
      is distinct from (new.status, new.organization_id, new.created_at, new.type, new.terms, new.issuing_bank)
  )
  execute function note_payment_change();

insert into payment_tally (organization_id, span, starts, status, type, terms, issuing_bank, payments)
select organization_id, span,
  case span when 'all' then date '1970-01-01' when 'month' then date_trunc('month', day::timestamp)::date else day end,
  status, type, terms, issuing_bank, count(*)
from (
  select organization_id, (created_at at time zone interval '-06:00')::date as day, status, type, terms, issuing_bank
  from payment where status is not null
) as listed
cross join unnest(array['all', 'month', 'day']) as span
group by 1, 2, 3, 4, 5, 6, 7;

-- Each part of three digits of an operation code, joined with a hash of the organization, so that a search reads the matches of the
-- asked organizations and of nobody else. Codes have ten digits at most.
create or replace function code_parts(organization_id uuid, code bigint) returns bigint[] language sql immutable parallel safe as $$
  select array_remove(array[
    (uuid_hash_extended(organization_id, 0) & -1024) | (code % 1000),
    case when code >= 1000 then (uuid_hash_extended(organization_id, 0) & -1024) | (code / 10 % 1000) end,
    case when code >= 10000 then (uuid_hash_extended(organization_id, 0) & -1024) | (code / 100 % 1000) end,
    case when code >= 100000 then (uuid_hash_extended(organization_id, 0) & -1024) | (code / 1000 % 1000) end,
    case when code >= 1000000 then (uuid_hash_extended(organization_id, 0) & -1024) | (code / 10000 % 1000) end,
    case when code >= 10000000 then (uuid_hash_extended(organization_id, 0) & -1024) | (code / 100000 % 1000) end,
    case when code >= 100000000 then (uuid_hash_extended(organization_id, 0) & -1024) | (code / 1000000 % 1000) end,
    case when code >= 1000000000 then (uuid_hash_extended(organization_id, 0) & -1024) | (code / 10000000 % 1000) end
  ], null)
$$;

create index if not exists payment_by_status_and_type on payment (organization_id, status, type, created_at desc, id desc)
  where status is not null;
create index if not exists payment_of_payment_method on payment (payment_method_id, status, type, created_at desc, id desc)
  where status is not null and payment_method_id is not null;
create index if not exists payment_by_kind
  on payment (organization_id, status, type, terms, issuing_bank, created_at desc, id desc) where status is not null;
create index if not exists payment_by_amount
  on payment (organization_id, amount, created_at desc, id desc) include (status, type, terms, issuing_bank)
  where status is not null;
-- Without fastupdate, because a search would have to read the whole list of entries that wait to be put into the index.
create index if not exists payment_by_code_part on payment using gin (code_parts(organization_id, operation_code))
  with (fastupdate = off) where status is not null;

-- Index-only scans need pages that vacuum has marked, and plans need statistics; a fifth of ten million rows is too long to wait.
alter table payment set (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02
);

-- Down Migration

alter table payment reset (
  autovacuum_vacuum_scale_factor, autovacuum_vacuum_insert_scale_factor, autovacuum_analyze_scale_factor
);
drop index payment_by_code_part, payment_by_amount, payment_by_kind, payment_of_payment_method, payment_by_status_and_type;
drop function code_parts;
drop trigger payment_changes_kind on payment;
drop trigger payment_comes_or_goes on payment;
drop function note_payment_change;
drop table payment_change;
drop table payment_tally;
