-- Up Migration

-- The tallies added up over what most filters leave open, so that a range of three years is a sum over its months and not over every
-- kind in each of them. Kept by the organization alone, or by status with one of type, terms and bank. What a total is not kept by
-- stands as '' or 0.
create table payment_total (
  organization_id uuid not null,
  kept_by text not null check (kept_by in ('organization', 'type', 'terms', 'bank')),
  span text not null,
  starts date not null,
  status text not null,
  type text not null,
  terms integer not null,
  issuing_bank text not null,
  payments bigint not null,
  primary key (organization_id, kept_by, span, starts, status, type, terms, issuing_bank) include (payments)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);

create index payment_total_emptied on payment_total (organization_id) where payments = 0;

-- By trigger, because whichever replica folds, also one of the version before, the totals follow.
create function add_up_tallies() returns trigger language plpgsql as $$
declare
  cell constant text := 'organization_id, span, starts, status, type, terms, issuing_bank';
  came constant text := format('select %s, payments from came', cell);
  went constant text := format('select %s, -payments as payments from went', cell);
  changed constant text := case tg_op when 'INSERT' then came when 'DELETE' then went else came || ' union all ' || went end;
begin
  execute format($sql$
    insert into %I.payment_total as total (organization_id, kept_by, span, starts, status, type, terms, issuing_bank, payments)
    select organization_id, by, span, starts,
      case when by = 'organization' then '' else status end, case when by = 'type' then type else '' end,
      case when by = 'terms' then terms else 0 end, case when by = 'bank' then issuing_bank else '' end, sum(payments)
    from (%s) as changed cross join unnest(array['organization', 'type', 'terms', 'bank']) as by
    group by 1, 2, 3, 4, 5, 6, 7, 8
    having sum(payments) <> 0
    on conflict (organization_id, kept_by, span, starts, status, type, terms, issuing_bank)
      do update set payments = total.payments + excluded.payments $sql$, tg_table_schema, changed);
  execute format('delete from %I.payment_total where payments = 0', tg_table_schema);
  return null;
end $$;

create trigger tallies_come after insert on payment_tally
  referencing new table as came for each statement execute function add_up_tallies();
create trigger tallies_change after update on payment_tally
  referencing new table as came old table as went for each statement execute function add_up_tallies();
create trigger tallies_go after delete on payment_tally
  referencing old table as went for each statement execute function add_up_tallies();

insert into payment_total (organization_id, kept_by, span, starts, status, type, terms, issuing_bank, payments)
select organization_id, by, span, starts,
  case when by = 'organization' then '' else status end, case when by = 'type' then type else '' end,
  case when by = 'terms' then terms else 0 end, case when by = 'bank' then issuing_bank else '' end, sum(payments)
from payment_tally cross join unnest(array['organization', 'type', 'terms', 'bank']) as by
group by 1, 2, 3, 4, 5, 6, 7, 8;

-- Down Migration

drop trigger tallies_come on payment_tally;
drop trigger tallies_change on payment_tally;
drop trigger tallies_go on payment_tally;
drop function add_up_tallies();
drop table payment_total;
