-- Up Migration

-- intents owns both. The higher sequence is the newer state.
create table salesperson (
  id uuid primary key,
  organization_id uuid not null,
  name text not null,
  username text not null,
  status text not null check (status in ('ACTIVE', 'INACTIVE')),
  branch_id uuid,
  sequence bigint not null
);
create table branch (id uuid primary key, name text not null, sequence bigint not null);

alter table one_time_payment add column salesperson_id uuid;
alter table payment add column salesperson_name text, add column salesperson_username text, add column branch_name text;
comment on column payment.salesperson_name is 'As it was when the payment was made.';

-- Down Migration

alter table payment drop column branch_name, drop column salesperson_username, drop column salesperson_name;
alter table one_time_payment drop column salesperson_id;
drop table branch, salesperson;
