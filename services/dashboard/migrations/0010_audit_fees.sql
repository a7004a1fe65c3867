-- Up Migration

-- The fee table rows that were to be changed, or were changed, with the rates before and after.
alter table audit add column fees jsonb;

-- Down Migration

alter table audit drop column fees;
