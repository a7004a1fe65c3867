-- Up Migration

-- A secret that is being set up belongs to one session.
alter table factor add column session_id uuid references session on delete set null;
create unique index factor_set_up on factor (session_id) where confirmed_at is null;

-- Who invited; null if an operator's command did.
alter table membership add column invited_by uuid references person;

-- Down Migration

alter table membership drop column invited_by;
alter table factor drop column session_id;
