-- Up Migration

-- Finds the newest payments with an e-mail or four digits even if many have them: a shop may enter its own e-mail for every payment.
-- With status and type, because the list merges the newest of each, and some have none.
create index if not exists payment_by_email_newest
  on payment (organization_id, (lower(billing ->> 'email')), status, type, created_at desc, id desc)
  where billing ->> 'email' is not null and status is not null;
create index if not exists payment_by_last_four_newest
  on payment (organization_id, last_four_digits, status, type, created_at desc, id desc) where status is not null;
-- An earlier form of 0006 built these.
drop index if exists payment_by_email, payment_by_last_four;

-- Down Migration

drop index payment_by_last_four_newest, payment_by_email_newest;
