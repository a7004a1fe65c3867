-- Up Migration

-- The newest payments with an e-mail, however many have it: a shop that enters its own at the till gives it to all.
create index if not exists payment_by_email_newest
  on payment (organization_id, (lower(billing ->> 'email')), status, type, created_at desc, id desc)
  where billing ->> 'email' is not null and status is not null;
drop index if exists payment_by_email;

-- Down Migration

create index payment_by_email on payment (organization_id, (lower(billing ->> 'email'))) where billing ->> 'email' is not null;
drop index payment_by_email_newest;
