import type { DeveloperListQuery } from '@cobro/contracts/developer-lists.ts';
import { timeRange } from '@cobro/domain/time-range.ts';
import { allOf, ifAsked, type Queries, sql, type Sql } from '@cobro/postgres/database.ts';
import type { Columns, RowOf, Table } from '@cobro/postgres/table.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { KeyRing } from '@cobro/service-kit/key-ring.ts';
import { cursorPage, type Position, readCursor } from '@cobro/service-kit/list-cursor.ts';
import type { Reads } from './open-reads.ts';

/** Selects `id` and `created_at` of the newest rows that meet a condition, up to the limit. */
export type NewestKeys = (asked: Sql, limit: number) => Sql;

export interface DeveloperList<C extends Columns, S extends string, T> {
  /** The list's name: a cursor is good for one list. */
  name: string;
  organizationId: string;
  query: DeveloperListQuery<S>;
  table: Table<C>;
  /** The table or a subselect, limited to the organization, with created_at, id and listed_at, which may be null. */
  from: Sql;
  /** Each status's condition (a row meets exactly one), or queries for its newest rows if no single index orders them. */
  statuses: Readonly<Record<S, Sql>> | Readonly<Record<S, readonly NewestKeys[]>>;
  show: (row: RowOf<C>) => T;
}

type Listed<C extends Columns> = RowOf<C> & Position;

/**
 * Answers a list under /developer/v1, newest first. A walk shows each row once, but no row that came into the list after it began
 * (listed_at).
 */
export async function developerList<C extends Columns, S extends string, T>(
  { reads, cursorKeys }: { reads: Reads; cursorKeys: KeyRing },
  { name, organizationId, query, table, from, statuses, show }: DeveloperList<C, S, T>,
) {
  const { limit, cursor } = query;
  const range = timeRange(query);
  // Sorted and without repeats, so that a cursor fits the same filters however they are written.
  const status = query.status && [...new Set(query.status)].toSorted();
  const list = { name, organizationId, filters: { status, ...range } };
  const after = cursor === undefined ? undefined : readCursor(cursorKeys, list, cursor);
  const asked = allOf([
    ifAsked(range.from, sql`created_at >= ${range.from}`),
    ifAsked(range.to, sql`created_at <= ${range.to}`),
    ifAsked(after, sql`(created_at, id) < (${after?.createdAt}, ${after?.id})`),
    ifAsked(after, sql`coalesce(listed_at, '-infinity') <= ${after?.walkBegan}`),
  ]);
  const page = { columns: table.list, from, asked, limit: limit + 1 };
  const rows = await reads.inTurn(organizationId, () => newestRows<Listed<C>>(reads, page, partsOf(statuses, status)));
  return ok(cursorPage(cursorKeys, list, { limit, after, rows, show }));
}

/** A part for every status, asked for or not, so that one prepared statement serves all. Undefined if all are asked for. */
function partsOf<S extends string>(
  statuses: Readonly<Record<S, Sql | readonly NewestKeys[]>>,
  asked: readonly S[] | undefined,
): (Sql | NewestKeys)[] | undefined {
  if (asked === undefined) return undefined;
  return Object.entries<Sql | readonly NewestKeys[]>(statuses).flatMap(([status, parts]): (Sql | NewestKeys)[] => {
    const isAsked = sql`${asked.some((one) => one === status)}::boolean`;
    if ('text' in parts) return [sql`${isAsked} and (${parts})`];
    return parts.map(
      (part): NewestKeys =>
        (which, limit) =>
          part(sql`${isAsked} and ${which}`, limit),
    );
  });
}

interface NewestRows {
  columns: Sql;
  from: Sql;
  asked: Sql;
  limit: number;
}

/** Merges the newest rows of each part by its index, because a filter would read the whole list to find rare rows. */
function newestRows<R extends object>(
  queries: Queries,
  { columns, from, asked, limit }: NewestRows,
  parts: readonly (Sql | NewestKeys)[] = [sql`true`],
): Promise<R[]> {
  const conditions = parts.filter((part) => typeof part !== 'function');
  const keys = parts.filter((part) => typeof part === 'function');
  const newest = (condition: Sql) =>
    sql`(select ${columns} from ${from} and ${asked} and ${condition} order by created_at desc, id desc limit ${limit})`;
  const rows =
    keys.length === 0
      ? unionOf(conditions.map(newest))
      : sql`select ${columns} from ${from} and id in (select id from (${newestOf(keys, asked, limit)}) as found)`;
  return queries.many<R>(sql`
    select *, statement_timestamp()::text as "walkBegan" from (${rows}) as page
    order by "createdAt" desc, id desc limit ${limit}`);
}

/** The newest rows of all parts. */
export const newestOf = (parts: readonly NewestKeys[], asked: Sql, limit: number): Sql => sql`
  select id, created_at from (${unionOf(parts.map((part) => part(asked, limit)))}) as part
  order by created_at desc, id desc limit ${limit}`;

const unionOf = (all: readonly Sql[]): Sql => all.reduce((before, next) => sql`${before} union all ${next}`);
