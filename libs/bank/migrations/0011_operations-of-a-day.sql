-- Up Migration

-- By it a day's operations are compared with the bank's books, hour by hour and in the order of their keys. May be made beforehand on a
-- large, busy database, concurrently.
create index if not exists bank_operation_answered on bank_operation (left(answer ->> 'time', 13), id)
  where status in ('approved', 'declined') and purpose <> 'save';

-- Down Migration

drop index bank_operation_answered;
