-- Up Migration

-- In a transaction of its own, because it reads all links, and 0003 holds a lock for which every request would wait.
update one_time_payment set announced = null
where announced = 'BEFORE' and status = 'PENDING' and expires_at > clock_timestamp();

-- Down Migration

-- Nothing: which links were open then is not known any more.
