-- Up Migration

-- A key pair in somebody's device; we keep the public half. With the device's own check of the person it is both factors.
create table passkey (
  id uuid primary key,
  person_id uuid not null references person,
  credential_id bytea not null unique,
  public_key bytea not null,
  -- How often the device has signed, where it counts. A number that does not grow is a copy's.
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index passkey_of_person on passkey (person_id);

-- Challenges that were answered. Those that are open are nowhere: we know our own by their seal.
create table answered_challenge (
  hash bytea primary key,
  answered_at timestamptz(3) not null
);
create index answered_challenge_by_time on answered_challenge (answered_at);

-- Down Migration

drop table answered_challenge;
drop table passkey;
