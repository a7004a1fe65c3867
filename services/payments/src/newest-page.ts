import { type Queries, type Sql, sql } from '@cobro/postgres/database.ts';
import type { Columns, RowOf, Table } from '@cobro/postgres/table.ts';

export interface NewestPage<C extends Columns> {
  table: Table<C>;
  from: Sql;
  where: Sql;
  /** Counted from 1. */
  page: number;
  pageSize: number;
}

/** One page of a table's rows, newest first, and how many rows there are in all. */
export async function newestPage<C extends Columns>(
  queries: Queries,
  { table, from, where, page, pageSize }: NewestPage<C>,
): Promise<{ count: number; rows: RowOf<C>[] }> {
  const [total, rows] = await Promise.all([
    queries.one<{ count: number }>(sql`select count(*)::int as count from ${from} where ${where}`),
    queries.many<RowOf<C>>(sql`
      select ${table.list} from ${from} where ${where} order by created_at desc, id desc
      limit ${pageSize} offset ${(page - 1) * pageSize}`),
  ]);
  return { count: total.count, rows };
}
