-- Up Migration

-- An OpenID Connect issuer that an owner entered for a scope. Nobody else's scope knows it.
create table sign_on (
  id uuid primary key,
  scope text not null check (scope in ('organization', 'partner', 'platform')),
  scope_id uuid,
  issuer text not null,
  client_id text not null,
  sealed_secret bytea not null,
  -- When somebody has come back from the issuer with these facts.
  tested_at timestamptz(3),
  is_required boolean not null default false,
  -- The owner who gets in with password and factor all the same, where it is required.
  kept_membership_id uuid references membership,
  changed_at timestamptz(3) not null,
  unique nulls not distinct (scope, scope_id),
  constraint sign_on_required_keeps_an_owner check (not is_required or (kept_membership_id is not null and tested_at is not null))
);

-- Who a subject of an issuer is, in that scope alone.
create table identity (
  id uuid primary key,
  sign_on_id uuid not null references sign_on on delete cascade,
  subject text not null,
  person_id uuid not null references person,
  created_at timestamptz(3) not null,
  unique (sign_on_id, subject),
  unique (sign_on_id, person_id)
);

-- Of a session that the issuer vouches for. It acts in that scope alone.
alter table session add column sign_on_id uuid references sign_on on delete cascade;

-- Down Migration

alter table session drop column sign_on_id;
drop table identity;
drop table sign_on;
