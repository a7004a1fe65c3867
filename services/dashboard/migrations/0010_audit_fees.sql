-- Up Migration

-- Which rows of a fee table were asked to be changed, or were changed, with the rates before and after.
alter table audit add column fees jsonb;

-- Down Migration

alter table audit drop column fees;
