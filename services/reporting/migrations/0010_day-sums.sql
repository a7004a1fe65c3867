-- Up Migration

-- Sums of an organization's payments by the day of three moments: when they were made, when money moved, and when it went back. Days
-- are those of UTC-6, which is Mexico City's time since 2022. Centavos. Kept apart from the tallies, because an older replica that folds
-- those would lose columns it does not know.
create table if not exists day_sum (
  organization_id uuid not null,
  moment text not null check (moment in ('made', 'settled', 'refunded')),
  day date not null,
  status text not null,
  decline_code text,
  payments integer not null,
  amount bigint not null,
  fee bigint not null,
  fee_iva bigint not null,
  promotion_take bigint not null,
  take bigint not null,
  unique nulls not distinct (organization_id, moment, day, status, decline_code)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);

create index if not exists day_sum_emptied on day_sum (organization_id) where payments = 0;

-- Changes that the sums do not contain yet: a payment's old values, negated, and its new ones, with all its days. Projections only
-- append here; a job adds the changes to the sums.
create table if not exists day_change (
  id bigint generated always as identity primary key,
  organization_id uuid not null,
  made_on date not null,
  settled_on date,
  refunded_on date,
  status text not null,
  decline_code text,
  payments integer not null check (payments in (-1, 1)),
  amount bigint not null,
  fee bigint not null,
  fee_iva bigint not null,
  promotion_take bigint not null,
  take bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

create index if not exists day_change_of_organization on day_change (organization_id);

-- The sums and the changes that they do not contain yet: their sum is exact at any moment.
create or replace view day_total as
select organization_id, moment, day, status, decline_code, payments, amount, fee, fee_iva, promotion_take, take from day_sum
union all
select organization_id, moment, day, status, decline_code, payments, amount, fee, fee_iva, promotion_take, take
from day_change cross join lateral (
  values ('made', made_on), ('settled', settled_on), ('refunded', refunded_on)
) as of_payment (moment, day)
where day is not null;

-- The same values for each row of payments, from which the sums are made and checked.
create or replace view payment_day as
select organization_id, moment, (at at time zone interval '-06:00')::date as day, status, decline_code, amount,
  coalesce((disbursement ->> 'merchantFeeAmount')::bigint, 0) as fee,
  coalesce((disbursement ->> 'merchantIvaFeeAmount')::bigint, 0) as fee_iva,
  coalesce((disbursement ->> 'promotionTakeAmount')::bigint, 0) as promotion_take,
  coalesce((disbursement ->> 'merchantTakeAmount')::bigint, 0) as take
from payment cross join lateral (
  values ('made', created_at),
    ('settled', case when status in ('CONFIRMED', 'REFUNDED') then coalesce(captured_at, confirmed_at) end),
    ('refunded', case when status = 'REFUNDED' then refunded_at end)
) as of_payment (moment, at)
where status is not null and at is not null;

create or replace function note_day_change() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.status is not null then
    insert into day_change (
      organization_id, made_on, settled_on, refunded_on, status, decline_code, payments, amount, fee, fee_iva, promotion_take, take
    )
    values (
      old.organization_id, (old.created_at at time zone interval '-06:00')::date,
      case when old.status in ('CONFIRMED', 'REFUNDED')
        then (coalesce(old.captured_at, old.confirmed_at) at time zone interval '-06:00')::date end,
      case when old.status = 'REFUNDED' then (old.refunded_at at time zone interval '-06:00')::date end,
      old.status, old.decline_code, -1, -old.amount,
      -coalesce((old.disbursement ->> 'merchantFeeAmount')::bigint, 0),
      -coalesce((old.disbursement ->> 'merchantIvaFeeAmount')::bigint, 0),
      -coalesce((old.disbursement ->> 'promotionTakeAmount')::bigint, 0),
      -coalesce((old.disbursement ->> 'merchantTakeAmount')::bigint, 0)
    );
  end if;
  if tg_op <> 'DELETE' and new.status is not null then
    insert into day_change (
      organization_id, made_on, settled_on, refunded_on, status, decline_code, payments, amount, fee, fee_iva, promotion_take, take
    )
    values (
      new.organization_id, (new.created_at at time zone interval '-06:00')::date,
      case when new.status in ('CONFIRMED', 'REFUNDED')
        then (coalesce(new.captured_at, new.confirmed_at) at time zone interval '-06:00')::date end,
      case when new.status = 'REFUNDED' then (new.refunded_at at time zone interval '-06:00')::date end,
      new.status, new.decline_code, 1, new.amount,
      coalesce((new.disbursement ->> 'merchantFeeAmount')::bigint, 0),
      coalesce((new.disbursement ->> 'merchantIvaFeeAmount')::bigint, 0),
      coalesce((new.disbursement ->> 'promotionTakeAmount')::bigint, 0),
      coalesce((new.disbursement ->> 'merchantTakeAmount')::bigint, 0)
    );
  end if;
  return null;
end $$;

create or replace trigger payment_comes_or_goes_on_days after insert or delete on payment
  for each row execute function note_day_change();
create or replace trigger payment_changes_on_days after update on payment
  for each row
  when (
    (old.status, old.organization_id, old.created_at, old.captured_at, old.confirmed_at, old.refunded_at, old.decline_code, old.amount,
      old.disbursement)
      is distinct from (new.status, new.organization_id, new.created_at, new.captured_at, new.confirmed_at, new.refunded_at,
        new.decline_code, new.amount, new.disbursement)
  )
  execute function note_day_change();

-- Adds to the sums what rows have and sums with changes lack. One statement, so it is right while the projection goes on, and does
-- nothing the second time. The lock is there because two at once would both add what is missing.
create or replace function complete_day_sums() returns void language sql as $$
  select pg_advisory_xact_lock(hashtextextended(current_schema() || '.complete_day_sums', 0));
  insert into day_sum as known (
    organization_id, moment, day, status, decline_code, payments, amount, fee, fee_iva, promotion_take, take
  )
  select organization_id, moment, day, status, decline_code, sum(payments), sum(amount), sum(fee), sum(fee_iva), sum(promotion_take),
    sum(take)
  from (
    select organization_id, moment, day, status, decline_code, 1 as payments, amount, fee, fee_iva, promotion_take, take from payment_day
    union all
    select organization_id, moment, day, status, decline_code, -payments, -amount, -fee, -fee_iva, -promotion_take, -take from day_total
  ) as missing
  group by 1, 2, 3, 4, 5
  having (sum(payments), sum(amount), sum(fee), sum(fee_iva), sum(promotion_take), sum(take)) <> (0, 0, 0, 0, 0, 0)
  on conflict (organization_id, moment, day, status, decline_code) do update set
    payments = known.payments + excluded.payments, amount = known.amount + excluded.amount, fee = known.fee + excluded.fee,
    fee_iva = known.fee_iva + excluded.fee_iva, promotion_take = known.promotion_take + excluded.promotion_take,
    take = known.take + excluded.take
$$;

-- On a large database this was done beforehand, while payments were projected (docs/growth.md).
select complete_day_sums() where not exists (select from day_sum);

-- Down Migration

drop trigger payment_changes_on_days on payment;
drop trigger payment_comes_or_goes_on_days on payment;
drop function complete_day_sums, note_day_change;
drop view payment_day, day_total;
drop table day_change, day_sum;
