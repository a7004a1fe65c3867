-- Up Migration

-- An OpenID Connect issuer that an owner entered; it serves this scope only.
create table sign_on (
  id uuid primary key,
  scope text not null check (scope in ('organization', 'partner', 'platform')),
  scope_id uuid,
  issuer text not null,
  client_id text not null,
  sealed_secret bytea not null,
  -- When a test sign-in with these facts succeeded.
  tested_at timestamptz(3),
  is_required boolean not null default false,
  -- The owner who can still sign in with password and factor while the issuer is required.
  kept_membership_id uuid references membership,
  changed_at timestamptz(3) not null,
  unique nulls not distinct (scope, scope_id),
  constraint sign_on_required_keeps_an_owner check (not is_required or (kept_membership_id is not null and tested_at is not null))
);

-- The person behind an issuer's subject, in that scope only.
create table identity (
  id uuid primary key,
  sign_on_id uuid not null references sign_on on delete cascade,
  subject text not null,
  person_id uuid not null references person,
  created_at timestamptz(3) not null,
  unique (sign_on_id, subject),
  unique (sign_on_id, person_id)
);

-- The issuer that vouches for the session, which acts in that scope only.
alter table session add column sign_on_id uuid references sign_on on delete cascade;

-- Down Migration

alter table session drop column sign_on_id;
drop table identity;
drop table sign_on;
