-- Up Migration

-- Who asked: { kind: key or person, id }. Null for what a payer, a terminal or a job asked, and in older rows.
alter table bank_operation add column asked_by jsonb;

-- Down Migration

alter table bank_operation drop column asked_by;
