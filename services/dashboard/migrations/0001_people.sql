-- Up Migration

-- Who uses the dashboard. All times of this schema are real time.
create table person (
  id uuid primary key,
  -- In lower case.
  email text not null unique,
  name text not null,
  password_hash text not null,
  language text not null default 'es' check (language in ('es', 'en')),
  created_at timestamptz(3) not null
);

-- A person's role in a scope. The platform has no scope_id.
create table membership (
  id uuid primary key,
  person_id uuid not null references person,
  scope text not null check (scope in ('organization', 'partner', 'platform')),
  scope_id uuid,
  role text not null,
  created_at timestamptz(3) not null,
  unique nulls not distinct (person_id, scope, scope_id),
  constraint membership_platform_without_id check ((scope = 'platform') = (scope_id is null)),
  constraint membership_role_of_scope check (case scope
    when 'organization' then role in ('read-only', 'operator', 'owner')
    when 'partner' then role in ('viewer', 'owner')
    else role = 'admin' end)
);
create index membership_of_scope on membership (scope, scope_id);

-- A link that works once. Its maker passes it on.
create table invitation (
  id uuid primary key,
  token_hash bytea not null unique,
  -- join: become a member; reset: a new password, and with resets_factor a new second factor; sign-in: enter a demo.
  purpose text not null check (purpose in ('join', 'reset', 'sign-in')),
  email text not null,
  scope text,
  scope_id uuid,
  role text,
  resets_factor boolean not null default false,
  -- Null if an operator's command made it.
  made_by uuid references person,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  withdrawn_at timestamptz(3),
  constraint invitation_joins_a_scope check ((purpose = 'join') = (scope is not null) and (scope is null) = (role is null))
);
create index invitation_of_scope on invitation (scope, scope_id) where used_at is null and withdrawn_at is null;

-- A second factor. Without confirmed_at it is being set up.
create table factor (
  id uuid primary key,
  person_id uuid not null references person,
  kind text not null check (kind = 'totp'),
  sealed_secret bytea not null,
  -- The step of the newest code taken; codes of this step or older ones are refused.
  last_step bigint not null default 0,
  created_at timestamptz(3) not null,
  confirmed_at timestamptz(3)
);
create index factor_of_person on factor (person_id);

create table recovery_code (
  person_id uuid not null references person,
  code_hash bytea not null,
  used_at timestamptz(3),
  primary key (person_id, code_hash)
);

-- A browser in which a person has shown a password (stage password) or has signed in fully (stage full).
create table session (
  id uuid primary key,
  token_hash bytea not null unique,
  person_id uuid not null references person,
  stage text not null check (stage in ('password', 'full')),
  -- Null until a scope is chosen. Deleting a membership deletes its sessions.
  membership_id uuid references membership on delete cascade,
  -- The invitation that this sign-in accepts.
  invitation_id uuid references invitation,
  began_at timestamptz(3) not null,
  seen_at timestamptz(3) not null,
  -- When a second factor was shown last.
  proved_at timestamptz(3),
  user_agent text not null,
  address text not null,
  ended_at timestamptz(3)
);
create index session_of_person on session (person_id) where ended_at is null;

-- Failed sign-ins of an account from a network, or from a browser that has signed in before. The account is a hash of the e-mail.
create table sign_in_lock (
  account bytea not null,
  origin text not null,
  failures integer not null,
  failed_at timestamptz(3) not null,
  locked_until timestamptz(3),
  primary key (account, origin)
);
create index sign_in_lock_by_time on sign_in_lock (failed_at);

create table network_failures (
  network text primary key,
  began_at timestamptz(3) not null,
  failures integer not null
);

-- Who did what. asked: written before an action is sent; answered: how it ended, in its own row.
create table audit (
  id uuid primary key,
  at timestamptz(3) not null,
  person_id uuid,
  scope text,
  scope_id uuid,
  what text not null,
  target text,
  outcome text not null check (outcome in ('asked', 'answered', 'done', 'failed')),
  -- asked_id and status: in answered rows only. code: why it was refused or failed.
  asked_id uuid references audit,
  status integer,
  code text,
  address text,
  request_id text
);
create index audit_of_scope on audit (scope, scope_id, id desc);
create index audit_of_person on audit (person_id, id desc);

-- Names of organizations, from their events.
create table organization (
  id uuid primary key,
  name text not null,
  sequence bigint not null
);

-- Down Migration

drop table organization;
drop table audit;
drop table network_failures;
drop table sign_in_lock;
drop table session;
drop table recovery_code;
drop table factor;
drop table invitation;
drop table membership;
drop table person;
