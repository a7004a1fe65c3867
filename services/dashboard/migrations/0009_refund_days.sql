-- Up Migration

-- What each person has asked to refund on a day in Mexico City, without refused refunds.
create table refund_day (
  person_id uuid not null references person,
  day date not null,
  centavos bigint not null,
  primary key (person_id, day)
);
create index refund_day_by_day on refund_day (day);

-- Down Migration

drop table refund_day;
