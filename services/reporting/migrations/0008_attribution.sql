-- Up Migration

-- The names when the payment was made; null in payments older than these columns.
alter table payment add column if not exists salesperson_name text, add column if not exists salesperson_username text,
  add column if not exists branch_name text;

-- Most payments name nobody, so these are small.
create index if not exists payment_by_salesperson on payment (salesperson_id, status, type, created_at desc, id desc)
  where status is not null and salesperson_id is not null;
create index if not exists payment_by_branch on payment (branch_id, status, type, created_at desc, id desc)
  where status is not null and branch_id is not null;
create index if not exists payment_by_terminal on payment (terminal_id, status, type, created_at desc, id desc)
  where status is not null and terminal_id is not null;

-- Down Migration

drop index payment_by_terminal, payment_by_branch, payment_by_salesperson;
alter table payment drop column branch_name, drop column salesperson_username, drop column salesperson_name;
