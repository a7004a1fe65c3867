import { newestOf, type NewestKeys } from '@cobro/frame/developer-list.ts';
import { type Queries, type Sql, sql } from '@cobro/postgres/database.ts';
import type { Columns, RowOf, Table } from '@cobro/postgres/table.ts';
import { blockOfChange, type ListName, NO_ID } from './list-tally.store.ts';

export interface NewestPage<C extends Columns> {
  table: Table<C>;
  list: ListName;
  /** The list's organization; for payments, the card or the payment link. */
  owner: string;
  /** The table with the condition on the owner. */
  from: Sql;
  /** The condition on status and expiry_month, which rows, tallies and changes name alike. */
  kind: Sql;
  /** Counted from 1. */
  page: number;
  pageSize: number;
}

/**
 * Reads one page of a list, newest first, and the count of all rows in the same snapshot. If the list has tallies, reads only the
 * rows of the page and those before it in its block.
 */
export async function newestPage<C extends Columns>(
  queries: Queries,
  { table, list, owner, from, kind, page, pageSize }: NewestPage<C>,
): Promise<{ count: number; rows: RowOf<C>[] }> {
  const ofList = sql`list = ${list} and owner = ${owner}`;
  const offset = sql`${(page - 1) * pageSize}::bigint`;
  const found = await queries.many<RowOf<C> & { count: number }>(sql`
    with block as (
      select until_at, until_id, sum(listed)::bigint as listed
      from (
        select until_at, until_id, listed from list_tally where ${ofList} and ${kind}
        union all
        select until_at, until_id, change from list_change cross join lateral (${blockOfChange}) as its_block
        where ${ofList} and ${kind}
      ) as part
      group by until_at, until_id
    ), position as (
      select until_at, until_id, listed,
        (sum(listed) over (order by until_at desc, until_id desc))::bigint - listed as newer
      from block
    ), wanted as (
      select (select coalesce(sum(listed), 0)::bigint from block) as count, until_at, until_id, ${offset} - newer as skipped
      from (select where exists (select from list_tally where ${ofList})) as tallied
      left join position on newer <= ${offset} and newer + listed > ${offset}
      union all
      select (select count(*) from ${from} and ${kind}), 'infinity', ${NO_ID}::uuid, ${offset}
      where not exists (select from list_tally where ${ofList})
    )
    select count::int as count, shown.* from wanted left join lateral (
      select ${table.list} from ${from} and ${kind} and (created_at, id) < (until_at, until_id)
      order by created_at desc, id desc
      offset skipped limit least(${pageSize}::bigint, greatest(count - ${offset}, 0))
    ) as shown on true
    order by "createdAt" desc, id desc`);
  const rows = found.filter((row) => row['id'] !== null);
  return { count: found[0]?.count ?? 0, rows };
}

/**
 * Reads one page of rows that have no tallies, because their status follows from the time. Counts at most `most`. Finds the newest
 * by indexes alone, then reads the rows of the page.
 */
export async function pageOfKeys<C extends Columns>(
  queries: Queries,
  {
    table,
    from,
    parts,
    most,
    page,
    pageSize,
  }: Pick<NewestPage<C>, 'table' | 'from' | 'page' | 'pageSize'> & { parts: readonly NewestKeys[]; most: number },
): Promise<{ count: number; rows: RowOf<C>[] }> {
  const found = await queries.many<RowOf<C> & { count: number }>(sql`
    with matched as materialized (${newestOf(parts, sql`true`, most)}),
      wanted as (
        select id from matched order by created_at desc, id desc
        offset ${(page - 1) * pageSize}::bigint limit ${pageSize}
      )
    select count, shown.* from (select count(*)::int as count from matched) as counted left join lateral (
      select ${table.list} from ${from} and id in (select id from wanted)) as shown on true
    order by "createdAt" desc, id desc`);
  return { count: found[0]?.count ?? 0, rows: found.filter((row) => row['id'] !== null) };
}
