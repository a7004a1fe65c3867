-- Up Migration

-- Each statement may be run on a large, busy database beforehand, with `concurrently`: docs/growth.md says how.

-- The order of the list with what the partner list filters by, so that a page of kinds of which there are many, and the count of a part
-- of a day, are read from the index alone.
create index if not exists payment_newest on payment (organization_id, created_at desc, id desc)
  include (status, type, terms, issuing_bank, operation_code) where status is not null;
-- Whose a code is, for parts of codes: all codes with some digits are looked up, whoever's they are.
create index if not exists payment_of_code on payment (operation_code) include (organization_id) where status is not null;

-- An index that broke off while it was built concurrently has its name, and serves nobody.
do $$ begin
  if exists (
    select from pg_index where indexrelid in ('payment_newest'::regclass, 'payment_of_code'::regclass) and not indisvalid
  ) then
    raise exception 'an index of payment is not valid: drop payment_newest or payment_of_code and build it again';
  end if;
end $$;

-- Replaced by payment_newest, which has the same order, so a replica of the version before reads that.
drop index if exists payment_by_organization;

-- Down Migration

create index payment_by_organization on payment (organization_id, created_at desc, id desc) where status is not null;
drop index payment_of_code;
drop index payment_newest;
