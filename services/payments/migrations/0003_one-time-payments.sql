-- Up Migration
create table one_time_payment (
  id uuid primary key,
  organization_id uuid not null,
  external_id text,
  request_digest bytea not null,
  status text not null default 'PENDING' check (status in ('PENDING', 'CONFIRMED', 'CANCELLED')),
  description text not null,
  amount bigint not null check (amount > 0),
  currency char(3) not null check (currency = 'MXN'),
  expires_at timestamptz(3) not null,
  redirect_url text,
  homepage_url text,
  allowed_terms integer[] not null check (cardinality(allowed_terms) > 0),
  billing jsonb,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version integer not null default 1
);
comment on table one_time_payment is 'A link that is paid once. Past expires_at its status stays; the clock says that it has expired.';
comment on column one_time_payment.request_digest is 'SHA-256 of the request as it was sent: tells whether a repeated externalId asks for the same.';
create unique index one_time_payment_external_id on one_time_payment (organization_id, external_id)
  where external_id is not null;
create index one_time_payment_list on one_time_payment (organization_id, created_at desc, id desc);
create index one_time_payment_by_status on one_time_payment (organization_id, status, created_at desc, id desc);

alter table payment
  add column one_time_payment_id uuid references one_time_payment (id),
  add column attempt_digest bytea;
comment on column payment.attempt_digest is 'Keyed hash of a page''s token and the card: the same form sent again finds its payment.';
-- However many people, tabs and replicas pay at once: one attempt is under way at the most, and one payment stands.
create unique index payment_of_link on payment (one_time_payment_id) where status in ('PENDING', 'CONFIRMED', 'REFUNDED');
create unique index payment_attempt on payment (one_time_payment_id, attempt_digest)
  where attempt_digest is not null and status <> 'NOT_INITIALIZED';

-- Down Migration
alter table payment drop column one_time_payment_id, drop column attempt_digest;
drop table one_time_payment;
