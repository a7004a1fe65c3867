-- Up Migration

create table subscription (
  id uuid primary key,
  organization_id uuid not null,
  external_id text,
  request_digest bytea not null,
  payment_method_id uuid not null references payment_method (id),
  product_id uuid references product (id),
  description text,
  amount bigint not null check (amount > 0),
  currency char(3) not null check (currency = 'MXN'),
  periodicity text not null
    check (periodicity in ('WEEKLY', 'BIWEEKLY', 'MONTHLY', 'QUARTERLY', 'SEMIANNUAL', 'YEARLY')),
  first_billing_date text not null check (first_billing_date ~ '^\d{4}-\d\d-\d\d$'),
  total_periods integer check (total_periods between 1 and 600),
  completes_at timestamptz(3),
  is_listed boolean not null default true,
  is_started boolean not null,
  cancels_at timestamptz(3),
  paused_at timestamptz(3),
  ended_at timestamptz(3),
  end_reason text check (end_reason in ('MERCHANT', 'FIRST_CHARGE_FAILED', 'PAYMENT_FAILED', 'COMPLETED')),
  charges_from integer not null default 1,
  latest_number integer not null default 0,
  attempted_at timestamptz(3),
  retries_end_at timestamptz(3),
  period_ends_at timestamptz(3),
  is_past_due boolean not null default false,
  is_hard boolean not null default false,
  gives_up_at timestamptz(3),
  tries_again boolean not null default false,
  last_decline_code text,
  wake_at timestamptz(3) not null,
  try_at timestamptz not null default clock_timestamp(),
  listed_at timestamptz not null default clock_timestamp(),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version integer not null default 1,
  check ((ended_at is null) = (end_reason is null)),
  check (not is_past_due or retries_end_at is not null)
) with (
  fillfactor = 70
);
comment on table subscription is 'A saved card that is charged once for each period. Periods follow from first_billing_date; what follows from time is derived when it is read.';
comment on column subscription.request_digest is 'SHA-256 of the request as it was sent: shows whether a repeated externalId asks for the same.';
comment on column subscription.first_billing_date is 'A day in Mexico City. Text, because a driver would make a moment of a date.';
comment on column subscription.completes_at is 'The end of the last period; null where there is no last one.';
comment on column subscription.is_listed is 'False where its first charge was not sent: then it was never there.';
comment on column subscription.is_started is 'False until its first charge is approved, where that was made when it was created.';
comment on column subscription.cancels_at is 'The end of the period at which its merchant has cancelled it.';
comment on column subscription.charges_from is 'Lower periods are skipped: they began while it was paused.';
comment on column subscription.latest_number is 'The highest period that was tried. None below it is charged by itself. 0: none was.';
comment on column subscription.attempted_at is 'When that period was tried last, or found with nothing to charge. Retries come later than this.';
comment on column subscription.retries_end_at is 'The last retry of that period.';
comment on column subscription.period_ends_at is 'The end of that period.';
comment on column subscription.is_hard is 'The card will not become good: the bank is not asked until it is replaced.';
comment on column subscription.gives_up_at is 'When the clock ends it as PAYMENT_FAILED; null while it is not past due, or is being charged.';
comment on column subscription.tries_again is 'To be tried at once, without a retry of the calendar: not sent, not processed, or a new card.';
comment on column subscription.wake_at is 'Business time: when somebody should look. An index and no truth.';
comment on column subscription.try_at is 'Real time: until then another process has it, or the bank cannot be reached.';
comment on column subscription.listed_at is 'Real time, not business time: a walk by cursor shows nothing that came after it began.';
create unique index subscription_external_id on subscription (organization_id, external_id) where external_id is not null;
create index subscription_list on subscription (organization_id, created_at desc, id desc) where is_listed;
create index subscription_of_method on subscription (payment_method_id, created_at desc, id desc) where is_listed;
create index subscription_wake on subscription (wake_at) where ended_at is null and is_started;

alter table payment add column if not exists subscription_id uuid, add column if not exists period_number integer,
  add column if not exists periodicity text;
-- `not valid` spares reading the whole table: no existing row names a subscription.
alter table payment add constraint payment_subscription_id_fkey foreign key (subscription_id)
  references subscription (id) not valid;
comment on column payment.period_number is 'The period of its subscription that it pays.';
-- Whoever charges a period (the job, a retry, a new card or its merchant, in any replica), one payment of it stands or is under
-- way. The condition means `status <> 'CANCELLED'`, but without the status, which would make each settlement write into indexes.
create unique index if not exists payment_of_period on payment (subscription_id, period_number)
  where subscription_id is not null and (takes_source or not is_initialized);
create index if not exists payment_by_period on payment (subscription_id, period_number, created_at, id)
  where subscription_id is not null;

create or replace view listed as
select 'payment_method' as list, organization_id as owner, created_at, id, status, expiry_month from payment_method
union all
select 'one_time_payment', organization_id, created_at, id, status, 0 from one_time_payment
union all
select 'payment', payment_method_id, created_at, id, status, 0 from payment
where payment_method_id is not null and is_initialized
union all
select 'product', organization_id, created_at, id, status, 0 from product
union all
select 'payment_link', organization_id, created_at, id, '', 0 from payment_link
union all
select 'payment', payment_link_id, created_at, id, status, 0 from payment
where payment_link_id is not null and is_initialized
union all
select 'subscription', organization_id, created_at, id, '', 0 from subscription where is_listed;

create function note_subscription() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op <> 'INSERT' and old.is_listed then
    insert into list_change values ('subscription', old.organization_id, old.created_at, old.id, '', 0, -1);
  end if;
  if tg_op <> 'DELETE' and new.is_listed then
    insert into list_change values ('subscription', new.organization_id, new.created_at, new.id, '', 0, 1);
  end if;
  return null;
end $$;
create trigger subscription_comes_or_goes after insert or delete on subscription
  for each row execute function note_subscription();
create trigger subscription_changes after update of is_listed, organization_id, created_at on subscription
  for each row execute function note_subscription();

-- Down Migration

create or replace view listed as
select 'payment_method' as list, organization_id as owner, created_at, id, status, expiry_month from payment_method
union all
select 'one_time_payment', organization_id, created_at, id, status, 0 from one_time_payment
union all
select 'payment', payment_method_id, created_at, id, status, 0 from payment
where payment_method_id is not null and is_initialized
union all
select 'product', organization_id, created_at, id, status, 0 from product
union all
select 'payment_link', organization_id, created_at, id, '', 0 from payment_link
union all
select 'payment', payment_link_id, created_at, id, status, 0 from payment
where payment_link_id is not null and is_initialized;
drop index payment_by_period, payment_of_period;
alter table payment drop column periodicity, drop column period_number, drop column subscription_id;
drop table subscription;
drop function note_subscription;
