-- Up Migration

-- Older rows, and those that release 0.1.0 writes, belong to the acquirer at BANK_URL.
alter table bank_operation add column if not exists acquirer text not null default 'default';
comment on column bank_operation.acquirer is 'Who was asked. All that follows about this operation is asked there, and nowhere else.';
-- Each acquirer's operations are taken separately. bank_operation_inquire stays for release 0.1.0.
create index if not exists bank_operation_inquire_at on bank_operation (acquirer, inquire_at) where status = 'open';

-- Down Migration

drop index bank_operation_inquire_at;
alter table bank_operation drop column acquirer;
