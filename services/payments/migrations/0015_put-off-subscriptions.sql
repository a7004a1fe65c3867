-- Up Migration

alter table subscription add column waits_for text, add column waits_since timestamptz;
comment on column subscription.waits_for is 'The acquirer that could not be asked: it is charged when that answers, from try_at on. Like wake_at an index and no truth.';
comment on column subscription.waits_since is 'Real time: since when it waits, through all that was tried and not sent meanwhile.';
-- In the order in which they may be tried, so that a look reads only those that it takes, however many wait.
create index subscription_waiting on subscription (waits_for, try_at)
  where waits_for is not null and ended_at is null and is_started;

-- Down Migration

-- An older release, which does not know waits_for, would look at them only at the end of their period.
update subscription set wake_at = '-infinity' where waits_for is not null;
drop index subscription_waiting;
alter table subscription drop column waits_since, drop column waits_for;
