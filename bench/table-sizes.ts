import type pg from 'pg';
import { serviceNames } from '../services/definitions.ts';

export interface TableSize {
  /** `schema.table`, or `schema.table: index`. */
  name: string;
  /** Tables only. */
  rows: string | null;
  megabytes: string;
}

/** Tables and indexes of the services from 1 MB on, the largest first. */
export async function sizesOf(client: pg.Client): Promise<TableSize[]> {
  const { rows } = await client.query<TableSize>(
    `
    select case relkind when 'r' then schema || '.' || relname else schema || '.' || of_table || ': ' || relname end as name,
      case relkind when 'r' then reltuples::bigint::text end as rows, (pg_relation_size(oid) / 1048576)::text as megabytes
    from (
      select pg_class.oid, relname, relkind, reltuples, nspname as schema,
        (select indrelid::regclass::oid::regclass::text from pg_index where indexrelid = pg_class.oid) as of_table
      from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where nspname = any($1) and relkind in ('r', 'i')
    ) as known
    where pg_relation_size(oid) >= 1048576
    order by pg_relation_size(oid) desc`,
    [serviceNames],
  );
  return rows.map((size) => ({ ...size, name: size.name.replace(/^(\w+)\.\1\./, '$1.') }));
}
