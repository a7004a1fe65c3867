-- Up Migration

-- When the merchant gets the money of a payment in terms: all at once, or month by month. Older rows are paid monthly. `not valid`
-- spares reading the whole table: every existing row has the default.
alter table payment add column installments text not null default 'MONTHLY',
  add constraint payment_installments_check check (installments in ('AT_ONCE', 'MONTHLY')) not valid;

-- Down Migration

alter table payment drop column installments;
