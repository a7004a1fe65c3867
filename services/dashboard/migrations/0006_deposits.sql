-- Up Migration

-- What the merchant's bank has deposited for a day, as a person typed it in. Centavos.
create table deposit (
  organization_id uuid not null,
  day date not null,
  amount bigint not null check (amount >= 0),
  entered_by uuid not null references person,
  entered_at timestamptz(3) not null,
  primary key (organization_id, day)
);

-- Down Migration

drop table deposit;
