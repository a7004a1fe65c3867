-- Up Migration

create table announced_subscription_change (
  subscription_id uuid not null references subscription (id),
  change text not null,
  period_number integer not null,
  happened_at timestamptz(3) not null,
  primary key (subscription_id, change, period_number)
);
comment on table announced_subscription_change is 'What was published of each subscription, so that it can be published again where a broker has lost it.';
comment on column announced_subscription_change.period_number is '0 of what happens once.';

-- Down Migration

drop table announced_subscription_change;
