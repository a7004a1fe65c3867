-- Up Migration

-- When the merchant gets the money of a payment in terms: all at once, or month by month. Rows that are older are paid monthly.
alter table payment add column installments text not null default 'MONTHLY' check (installments in ('AT_ONCE', 'MONTHLY'));

-- Down Migration

alter table payment drop column installments;
