-- Up Migration
create index bank_operation_not_sent on bank_operation (settled_at) where status = 'not_sent';

-- Down Migration
drop index bank_operation_not_sent;
