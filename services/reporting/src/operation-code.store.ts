import { allOf, type Queries, type Sql, sql } from '@cobro/postgres/database.ts';
import type { CodeRange } from './operation-code.rules.ts';
import type { Search } from './partner-payment.rules.ts';
import {
  created,
  findNewest,
  isNamed,
  type Listed,
  matchesSearch,
  newestFirst,
  type Page,
  type Place,
} from './partner-payment.store.ts';
import { ofKind } from './payment-tally.store.ts';

/**
 * Rows whose operation code matches: how many up to `most`, and the places of a page, which is right only where there are fewer than
 * `most`, because the rows were found in no order. `ranges` are all codes that match; without them the index of parts is read.
 */
export async function findOfCode(
  queries: Queries,
  listed: Listed,
  search: Search & { ranges: CodeRange[] | undefined },
  { most, offset, limit }: Page & { most: number | undefined },
): Promise<{ count: number; places: Place[] }> {
  const { ranges } = search;
  const matches = ranges === undefined ? matchesOfCode(listed, search) : matchesInRanges(listed, search.named, ranges);
  const rows = await queries.many<{ count: bigint; id: string | null; createdAt: Date }>(sql`
    with matched as materialized (${matches} ${most === undefined ? sql`` : sql`limit ${most}`})
    select count, page.id, page.created_at as "createdAt" from (select count(*) as count from matched) as counted
    left join lateral (
      select id, created_at from matched ${newestFirst} limit ${limit} offset ${offset}
    ) as page on true
    order by page.created_at desc, page.id desc`);
  const places = rows.flatMap(({ id, createdAt }) => (id === null ? [] : [{ id, createdAt }]));
  return { count: Number(rows[0]?.count ?? 0), places };
}

/** The largest operation code, whoever's it is; 0 where there is no payment. */
export async function findLargestCode(queries: Queries): Promise<number> {
  const { code } = await queries.one<{ code: bigint | null }>(sql`
    select max(operation_code) as code from payment where status is not null`);
  return Number(code ?? 0);
}

/** How many payments, up to `most`, have a code in these ranges, which do not overlap. By an index alone. */
export async function countInRanges(
  queries: Queries,
  organizations: string[],
  ranges: readonly CodeRange[],
  most: number,
): Promise<number> {
  const { count } = await queries.one<{ count: bigint }>(sql`
    select count(*) as count from (
      select from ${asTable(ranges)} cross join unnest(${organizations}::uuid[]) as owner
      cross join lateral (
        select from payment
        where organization_id = owner and operation_code between range.first and range.last and status is not null
        limit ${most}
      ) as matched
      limit ${most}
    ) as counted`);
  return Number(count);
}

const asTable = (ranges: readonly CodeRange[]) => sql`
  unnest(${ranges.map(({ from }) => from)}::bigint[], ${ranges.map(({ to }) => to)}::bigint[]) as range (first, last)`;

/** Newest first until the page is full: for a part that is found in many rows of any time. */
export const findNewestOfCode = (queries: Queries, listed: Listed, search: Search, page: Page) =>
  findNewest(queries, listed, page, matchesSearch(search));

/** By the index of codes alone first, whoever's they are; then the rows of the asked organizations. */
function matchesInRanges(
  { organizations, kinds, within }: Listed,
  named: Search['named'],
  ranges: readonly CodeRange[],
): Sql {
  // The offsets keep the planner from going by anything but the code.
  return sql`
    select id, created_at from ${asTable(ranges)}
    cross join lateral (
      select organization_id as owner, operation_code as code from payment
      where operation_code between range.first and range.last and status is not null
      offset 0
    ) as told
    cross join lateral (
      select id, organization_id, created_at, status, type, terms, issuing_bank, amount from payment
      where organization_id = told.owner and operation_code = told.code and status is not null
      offset 0
    ) as found
    where told.owner = any(${organizations}) and ${created(within)} and ${ofKind(kinds)} and ${isNamed(named)}`;
}

function matchesOfCode({ organizations, kinds, within }: Listed, search: Search): Sql {
  const { codeParts, wholeCodes } = search;
  const indexed = codeParts.map((part) => inIndexOfParts(organizations, part));
  if (wholeCodes.length > 0) {
    indexed.push(sql`organization_id = any(${organizations}) and operation_code = any(${wholeCodes})`);
  }
  const either = indexed.reduce((all, next) => sql`${all} or (${next})`, sql`false`);
  // The organization as text, so that the search goes by what is asked of the code and by no other index.
  return sql`
    select id, created_at from payment
    where (${either}) and organization_id::text = any(${organizations}) and ${matchesSearch(search)}
      and status is not null and ${created(within)} and ${ofKind(kinds)}`;
}

/** The keys of `payment_by_code_part`: each three digits of the part, with the hash of each organization. */
function inIndexOfParts(organizations: string[], part: string): Sql {
  const threes = Array.from({ length: part.length - 2 }, (_, at) => Number(part.slice(at, at + 3)));
  return allOf(
    threes.map(
      (digits) => sql`
        code_parts(organization_id, operation_code) && array(
          select (uuid_hash_extended(owner, 0) & -1024) | ${digits}::bigint from unnest(${organizations}::uuid[]) as owner
        )`,
    ),
  );
}
