-- Up Migration

-- The end of the link that was published last: PAID, CANCELLED or EXPIRED. Links older than this column have BEFORE, which 0019
-- clears for those that are open.
alter table one_time_payment add column if not exists announced text default 'BEFORE';
alter table one_time_payment alter column announced drop default;
create index if not exists one_time_payment_ended on one_time_payment (updated_at) where announced is null and status <> 'PENDING';
create index if not exists one_time_payment_expiring on one_time_payment (expires_at) where announced is null and status = 'PENDING';
create index if not exists one_time_payment_cancelled_late on one_time_payment (updated_at)
  where announced = 'EXPIRED' and status = 'CANCELLED';

-- Whether it was published that the card has expired. Only cards of the last month are looked for.
alter table payment_method add column if not exists expiry_announced boolean not null default false;
create index if not exists payment_method_expiring on payment_method (expiry_month) where status = 'ACTIVE' and not expiry_announced;

-- Down Migration

drop index payment_method_expiring;
alter table payment_method drop column expiry_announced;
drop index one_time_payment_cancelled_late, one_time_payment_expiring, one_time_payment_ended;
alter table one_time_payment drop column announced;
