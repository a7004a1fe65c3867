-- Up Migration

-- A key pair in a person's device; we keep the public half. The device checks the person, so it is both factors.
create table passkey (
  id uuid primary key,
  person_id uuid not null references person,
  credential_id bytea not null unique,
  public_key bytea not null,
  -- How often the device has signed; 0 if it does not count. A counter that does not grow is a copy's.
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index passkey_of_person on passkey (person_id);

-- Answered challenges. Open ones are not stored: we recognize our own by their seal.
create table answered_challenge (
  hash bytea primary key,
  answered_at timestamptz(3) not null
);
create index answered_challenge_by_time on answered_challenge (answered_at);

-- Down Migration

drop table answered_challenge;
drop table passkey;
