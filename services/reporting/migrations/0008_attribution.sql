-- Up Migration

-- As they were when the payment was made; null in a payment that is older than these columns.
alter table payment add column salesperson_name text, add column salesperson_username text, add column branch_name text;

-- Down Migration

alter table payment drop column branch_name, drop column salesperson_username, drop column salesperson_name;
