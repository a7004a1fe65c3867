-- Up Migration

-- What was published of a subscription. No subscription is older than these columns.
alter table subscription add column announced_version integer not null default 0,
  add column announced_created boolean not null default false, add column announced_paid integer not null default 0,
  add column announced_past_due integer not null default 0, add column announced_end boolean not null default false,
  add column announced_renewing integer not null default 0, add column announced_wake timestamptz(3);
comment on column subscription.announced_version is 'The version of the row that was looked at last.';
comment on column subscription.announced_paid is 'The highest period whose charge was published; the same of the other numbers.';
comment on column subscription.announced_wake is 'The wake_at for which was looked whether a period is due within three days.';
create index subscription_news on subscription (updated_at) where announced_version <> version and is_listed;
create index subscription_renewing on subscription (wake_at)
  where ended_at is null and is_started and announced_wake is distinct from wake_at;
-- Statuses follow from the time, but each home page asks for those that are past due.
create index subscription_past_due on subscription (organization_id, created_at desc, id desc)
  where is_past_due and ended_at is null and is_listed;

-- Down Migration

drop index subscription_past_due, subscription_renewing, subscription_news;
alter table subscription drop column announced_wake, drop column announced_renewing, drop column announced_end,
  drop column announced_past_due, drop column announced_paid, drop column announced_created, drop column announced_version;
