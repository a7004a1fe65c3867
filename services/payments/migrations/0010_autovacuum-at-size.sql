-- Up Migration

-- A fifth of ten million rows, the server's own setting, is too many dead ones before vacuum comes. Takes no lock that anybody waits for.
alter table payment set (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02
);

-- Down Migration

alter table payment reset (
  autovacuum_vacuum_scale_factor, autovacuum_vacuum_insert_scale_factor, autovacuum_analyze_scale_factor
);
