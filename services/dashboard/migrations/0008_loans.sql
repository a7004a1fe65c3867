-- Up Migration

-- An owner lends the platform a look at an organization, for some hours.
create table loan (
  id uuid primary key,
  organization_id uuid not null,
  lent_by uuid not null references person,
  lent_at timestamptz(3) not null,
  until timestamptz(3) not null,
  ended_at timestamptz(3),
  constraint loan_of_a_day_at_most check (until <= lent_at + interval '24 hours')
);
create index loan_of_organization on loan (organization_id, until) where ended_at is null;

-- Set for a lent look, which ends at this time.
alter table membership add column lent_until timestamptz(3);
alter table membership add constraint membership_lent_to_read check (lent_until is null or role = 'read-only');

-- Down Migration

alter table membership drop column lent_until;
drop table loan;
