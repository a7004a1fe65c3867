-- Up Migration

-- Subscriptions of a status are found in the order of an index, except those that the clock has ended and no job has written down yet.
create index subscription_active on subscription (organization_id, created_at desc, id desc)
  where ended_at is null and is_listed and is_started and paused_at is null and not is_past_due;
create index subscription_paused on subscription (organization_id, created_at desc, id desc)
  where ended_at is null and is_listed and is_started and paused_at is not null;
create index subscription_pending on subscription (organization_id, created_at desc, id desc)
  where ended_at is null and is_listed and not is_started;
create index subscription_cancelled on subscription (organization_id, created_at desc, id desc)
  where is_listed and ended_at is not null and end_reason <> 'COMPLETED';
create index subscription_completed on subscription (organization_id, created_at desc, id desc)
  where is_listed and ended_at is not null and end_reason = 'COMPLETED';
create index subscription_ending on subscription
  (organization_id, least(case when paused_at is null then gives_up_at end, cancels_at, completes_at))
  where ended_at is null and is_listed
    and least(case when paused_at is null then gives_up_at end, cancels_at, completes_at) is not null;

-- Down Migration

drop index subscription_ending, subscription_completed, subscription_cancelled, subscription_pending, subscription_paused,
  subscription_active;
