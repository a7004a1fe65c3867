-- Up Migration

-- The ids of events are UUIDs v7, in the order of time: the primary key finds the old events. The block range index found fewer and
-- fewer of them apart, because new rows went into the pages of deleted ones.
drop index inbox_consumed_at;
-- A vacuum reads the whole primary key, so it comes after a share of the rows and not after each 2000.
alter table inbox set (autovacuum_vacuum_scale_factor = 0.02);

-- Down Migration

alter table inbox set (autovacuum_vacuum_scale_factor = 0);
create index inbox_consumed_at on inbox using brin (consumed_at) with (autosummarize = on);
