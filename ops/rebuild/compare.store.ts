import type { Queries, Sql } from '@cobro/postgres/database.ts';
import { plain, type ProjectedTable } from './schemas.store.ts';

/** A row as both schemas have it; null if one of them does not have it. */
export interface BothRows {
  id: string;
  served: Record<string, unknown> | null;
  anew: Record<string, unknown> | null;
}

/** The last key of the next `limit` rows of both schemas together, and their number; undefined if there are none. */
export const lastKeyAfter = async (queries: Queries, table: ProjectedTable, after: string, limit: number) => {
  const ids = (schema: string) => `(select id from ${schema}.${table} where id > $1 order by id limit $2)`;
  const found = await queries.one<{ last: string | null; rows: number }>(
    plain(
      `select max(id::text) as last, count(*)::int as rows from (
         ${ids('reporting')} union ${ids('reporting_next')} order by id limit $2
       ) as found`,
      [after, limit],
    ),
  );
  return { last: found.last ?? undefined, rows: found.rows };
};

/** The rows of these keys that differ in any column. */
export const differingWithin = (queries: Queries, table: ProjectedTable, after: string, last: string) =>
  queries.many<BothRows>(differing(table, 'id > $1 and id <= $2', [after, last]));

export const differingAmong = (queries: Queries, table: ProjectedTable, ids: readonly string[]) =>
  queries.many<BothRows>(differing(table, 'id = any($1::uuid[])', [ids]));

function differing(table: ProjectedTable, where: string, values: readonly unknown[]): Sql {
  return plain(
    `select id, to_jsonb(served) - 'id' as served, to_jsonb(anew) - 'id' as anew
     from (select * from reporting.${table} where ${where}) as served
     full join (select * from reporting_next.${table} where ${where}) as anew using (id)
     where served.* is distinct from anew.*
     order by id`,
    values,
  );
}
