import type { DeveloperListQuery } from '@cobro/contracts/developer-lists.ts';
import { timeRange } from '@cobro/domain/time-range.ts';
import { allOf, ifAsked, type Queries, sql, type Sql } from '@cobro/postgres/database.ts';
import type { Columns, RowOf, Table } from '@cobro/postgres/table.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { KeyRing } from '@cobro/service-kit/key-ring.ts';
import { cursorPage, type Position, readCursor } from '@cobro/service-kit/list-cursor.ts';
import type { Reads } from './open-reads.ts';

export interface DeveloperList<C extends Columns, S extends string, T> {
  /** Of the path: a cursor is good for one list. */
  name: string;
  organizationId: string;
  query: DeveloperListQuery<S>;
  table: Table<C>;
  /** The table, or a subselect, with the condition on the organization. It has created_at, id and listed_at, which may be null. */
  from: Sql;
  /** The condition of each status, or the conditions that are merged. A row meets one of all. */
  statuses: Readonly<Record<S, Sql | readonly Sql[]>>;
  show: (row: RowOf<C>) => T;
}

type Listed<C extends Columns> = RowOf<C> & Position;

/**
 * Answers a list under /developer/v1, newest first. A walk has each row once, but those that came into the list after it began
 * (listed_at) not at all.
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
  const kinds = status === undefined ? [sql`true`] : kindsOf(statuses, status);
  const rows = await reads.inTurn(organizationId, () =>
    newestRows<Listed<C>>(reads, { columns: table.list, from: sql`${from} and ${asked}`, kinds, limit: limit + 1 }),
  );
  return ok(cursorPage(cursorKeys, list, { limit, after, rows, show }));
}

/** A condition for every status, also for those that are not asked for, so that it is one prepared statement. */
const kindsOf = <S extends string>(statuses: Readonly<Record<S, Sql | readonly Sql[]>>, asked: readonly S[]): Sql[] =>
  Object.entries<Sql | readonly Sql[]>(statuses).flatMap(([status, conditions]) =>
    [conditions].flat().map((condition) => sql`${asked.some((one) => one === status)}::boolean and (${condition})`),
  );

interface NewestRows {
  columns: Sql;
  from: Sql;
  kinds: readonly Sql[];
  limit: number;
}

/** Merges the newest of each kind by its index, because a filter would read the whole list for what is rare. */
const newestRows = <R extends object>(queries: Queries, { columns, from, kinds, limit }: NewestRows): Promise<R[]> =>
  queries.many<R>(sql`
    select *, statement_timestamp()::text as "walkBegan" from (
      ${kinds
        .map(
          (kind) => sql`(select ${columns} from ${from} and ${kind} order by created_at desc, id desc limit ${limit})`,
        )
        .reduce((all, next) => sql`${all} union all ${next}`)}
    ) as page
    order by "createdAt" desc, id desc limit ${limit}`);
