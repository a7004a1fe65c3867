-- Up Migration

create table partners (
  id uuid primary key,
  name text not null,
  created_at timestamptz(3) not null default now()
);

create table organizations (
  id uuid primary key,
  name text not null,
  website_url text,
  -- The colour of the merchant's checkout page; null if it has none of its own.
  color text check (color ~ '^#[0-9a-f]{6}$'),
  partner_id uuid references partners,
  -- Counts the changes: the sequence of its events.
  version integer not null default 1,
  created_at timestamptz(3) not null default now()
);

create table api_keys (
  id uuid primary key,
  kind text not null check (kind in ('merchant', 'partner', 'terminal')),
  -- Only merchants' keys have one: partners' keys work in both.
  mode text check (mode in ('live', 'test')),
  organization_id uuid references organizations,
  partner_id uuid references partners,
  -- Only terminals' keys have one; intents keeps the record of the terminal.
  terminal_id uuid,
  -- SHA-256 of the key; the key itself is kept nowhere.
  hash bytea not null unique check (octet_length(hash) = 32),
  last_four text not null check (length(last_four) = 4),
  created_at timestamptz(3) not null default now(),
  revoked_at timestamptz(3),
  -- The transaction that wrote the row last. A reader that asks from the oldest transaction still open at its last
  -- question misses no change, which neither a time nor a sequence could promise: both are drawn before the commit.
  changed_in xid8 not null default pg_current_xact_id(),
  check ((kind in ('merchant', 'terminal')) = (organization_id is not null)),
  check ((kind = 'merchant') = (mode is not null)),
  check ((kind = 'partner') = (partner_id is not null)),
  check ((kind = 'terminal') = (terminal_id is not null))
);

create index api_keys_changed_in on api_keys (changed_in);

-- Down Migration

drop table api_keys, organizations, partners;
