-- Up Migration

-- The offset lists show how many rows there are and skip to any page. Neither may read every row: docs/adr/0016 says how.

-- The rows of each list, by its owner: an organization, or for payments a card.
create view listed as
select 'payment_method' as list, organization_id as owner, created_at, id, status, expiry_month from payment_method
union all
select 'one_time_payment', organization_id, created_at, id, status, 0 from one_time_payment
union all
select 'payment', payment_method_id, created_at, id, status, 0 from payment
where payment_method_id is not null and is_initialized;

-- A long list is cut into blocks of some thousand rows in its order, newest first. A block has the rows before (until_at, until_id), as
-- far as the next older block; the newest block's until_at is infinity. Short lists have no tallies: their rows are counted.
create table list_tally (
  list text not null,
  owner uuid not null,
  until_at timestamptz not null,
  until_id uuid not null,
  status text not null,
  -- A card's: year × 12 + month, because EXPIRED follows from it. Elsewhere 0.
  expiry_month integer not null,
  listed bigint not null,
  primary key (list, owner, until_at, until_id, status, expiry_month) include (listed)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);

-- What the tallies do not contain yet. Claims and settlements only append here, so no two of them wait for one row of a tally; a job
-- adds the changes to the tallies. A count is the tallies plus the changes, and so is exact at any moment.
create table list_change (
  list text not null,
  owner uuid not null,
  created_at timestamptz not null,
  row_id uuid not null,
  status text not null,
  expiry_month integer not null,
  change smallint not null check (change in (-1, 0, 1))
) with (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
  -- Truncating needs a lock that appends would wait for.
  vacuum_truncate = off
);
create index list_change_of_list on list_change (list, owner);
-- A change of 0 is a note that makes the job count the list.
create index list_change_note on list_change (list, owner) where change = 0;

-- Triggers keep the tallies right, whichever statement writes a row. They set this schema as search_path, because an operator's
-- session may have another one.
create function note_card() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op <> 'INSERT' then
    insert into list_change
    values ('payment_method', old.organization_id, old.created_at, old.id, old.status, old.expiry_month, -1);
  end if;
  if tg_op <> 'DELETE' then
    insert into list_change
    values ('payment_method', new.organization_id, new.created_at, new.id, new.status, new.expiry_month, 1);
  end if;
  return null;
end $$;
create trigger card_comes_or_goes after insert or delete on payment_method for each row execute function note_card();
create trigger card_changes
  after update of status, organization_id, created_at, expiration_month, expiration_year on payment_method
  for each row execute function note_card();

create function note_link() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op <> 'INSERT' then
    insert into list_change values ('one_time_payment', old.organization_id, old.created_at, old.id, old.status, 0, -1);
  end if;
  if tg_op <> 'DELETE' then
    insert into list_change values ('one_time_payment', new.organization_id, new.created_at, new.id, new.status, 0, 1);
  end if;
  return null;
end $$;
create trigger link_comes_or_goes after insert or delete on one_time_payment for each row execute function note_link();
create trigger link_changes after update of status, organization_id, created_at on one_time_payment
  for each row execute function note_link();

create function note_payment() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op <> 'INSERT' and old.payment_method_id is not null and old.is_initialized then
    insert into list_change values ('payment', old.payment_method_id, old.created_at, old.id, old.status, 0, -1);
  end if;
  if tg_op <> 'DELETE' and new.payment_method_id is not null and new.is_initialized then
    insert into list_change values ('payment', new.payment_method_id, new.created_at, new.id, new.status, 0, 1);
  end if;
  return null;
end $$;
create trigger payment_comes_or_goes after insert or delete on payment for each row execute function note_payment();
create trigger payment_changes after update of status, payment_method_id, created_at on payment
  for each row execute function note_payment();

-- For rows that were written without the triggers: deletes all tallies, and gives each long list a note, so that the job counts it.
-- Until then, rows are counted.
create function count_lists_anew() returns void language sql set search_path from current as $$
  lock table list_tally;
  delete from list_tally;
  insert into list_change
  select list, owner, 'infinity', '00000000-0000-0000-0000-000000000000', '', 0, 0
  from listed group by list, owner having count(*) > 4000;
$$;

-- Down Migration

drop trigger payment_changes on payment;
drop trigger payment_comes_or_goes on payment;
drop trigger link_changes on one_time_payment;
drop trigger link_comes_or_goes on one_time_payment;
drop trigger card_changes on payment_method;
drop trigger card_comes_or_goes on payment_method;
drop function count_lists_anew, note_payment, note_link, note_card;
drop table list_change, list_tally;
drop view listed;
