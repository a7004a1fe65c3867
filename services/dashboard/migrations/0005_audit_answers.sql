-- Up Migration

-- For the metric of unanswered actions.
create index audit_asked on audit (at) where outcome = 'asked';
create index audit_answers on audit (asked_id) where asked_id is not null;

-- Down Migration

drop index audit_answers;
drop index audit_asked;
