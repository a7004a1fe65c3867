import { type Queries, sql } from '@cobro/postgres/database.ts';
import type { Search } from './partner-payment.rules.ts';
import { created, isNamed, type Listed, newestFirst, type Page, type Position } from './partner-payment.store.ts';
import { ofKind } from './payment-tally.store.ts';

/**
 * Counts the rows that match an operation code, and finds the positions of a page. Each part is looked up in `payment_by_code_part` by
 * its keys of three digits, for each organization.
 */
export async function findOfCodes(
  queries: Queries,
  { organizations, kinds, within }: Listed,
  { codeParts, wholeCodes, named }: Search,
  { offset, limit }: Page,
): Promise<{ count: number; positions: Position[] }> {
  const isListed = sql`status is not null and ${created(within)} and ${ofKind(kinds)} and ${isNamed(named)}`;
  // Compares the organization as text, so that only the index of keys can serve the look-up.
  const rows = await queries.many<{ count: bigint; id: string | null; createdAt: Date }>(sql`
    with matched as materialized (
      select id, created_at from payment
      where ${wholeCodes.length > 0}::boolean and organization_id = any(${organizations})
        and operation_code = any(${wholeCodes}) and ${isListed}
      union
      select found.id, found.created_at from unnest(${codeParts}::text[]) as part
      cross join unnest(${organizations}::uuid[]) as owner
      cross join lateral (
        select array_agg((uuid_hash_extended(owner, 0) & -1024) | substr(part, position, 3)::bigint) as keys
        from generate_series(1, length(part) - 2) as position
      ) as sought
      cross join lateral (
        select id, created_at from payment
        where code_parts(organization_id, operation_code) @> keys and organization_id::text = owner::text
          and strpos(operation_code::text, part) > 0 and ${isListed}
      ) as found
    )
    select count, page.id, page.created_at as "createdAt" from (select count(*) as count from matched) as counted
    left join lateral (select id, created_at from matched ${newestFirst} limit ${limit} offset ${offset}) as page on true
    order by page.created_at desc, page.id desc`);
  const positions = rows.flatMap(({ id, createdAt }) => (id === null ? [] : [{ id, createdAt }]));
  return { count: Number(rows[0]?.count ?? 0), positions };
}
