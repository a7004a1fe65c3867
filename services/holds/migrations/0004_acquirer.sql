-- Up Migration

-- Older rows, and those that release 0.1.0 writes, belong to the acquirer at BANK_URL.
alter table hold add column if not exists acquirer text not null default 'default';
comment on column hold.acquirer is 'Who holds the money. It is captured and let go there.';
-- The sweep works per acquirer. hold_ends stays for queries over all holds.
create index if not exists hold_ends_at on hold (acquirer, least(expires_at, capture_before, let_go_at)) where status = 'HELD';

-- Down Migration

drop index hold_ends_at;
alter table hold drop column acquirer;
