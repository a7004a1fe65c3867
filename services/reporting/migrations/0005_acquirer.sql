-- Up Migration

-- The acquirer whose token was charged. Older payments belong to the one at BANK_URL.
alter table payment add column acquirer text not null default 'default';

-- Down Migration

alter table payment drop column acquirer;
