import { ifAsked, type Queries, type Sql, sql } from '@cobro/postgres/database.ts';
import { type Interval, spanOver } from './payment-tally.rules.ts';
import type { Search } from './partner-payment.rules.ts';
import { kindsIn, type KindFilters, ofKind } from './payment-tally.store.ts';
import type { PaymentRow } from './payment.row.ts';
import { shown } from './payment.store.ts';

/** Where a payment stands in the list: newest first, and the id decides between equal times. */
export interface Position {
  id: string;
  createdAt: Date;
}

/** A part of the list. */
export interface Page {
  offset: number;
  limit: number;
}

/** Payments of organizations, of some kinds, within a time. */
export interface Listed {
  organizations: string[];
  kinds: KindFilters;
  within: Interval;
}

/** The condition that a row was made within the interval. */
export const created = ({ from, to }: Interval) => sql`created_at >= ${from} and created_at < ${to}`;
export const newestFirst = sql`order by created_at desc, id desc`;
const position = sql`id, created_at as "createdAt"`;

/** The page of the merged rows. */
const pageOf = (merged: Sql, { offset, limit }: Page) => sql`
  select ${position} from (${merged}) as merged ${newestFirst} limit ${limit} offset ${offset}`;

/** The kinds within the interval, and the condition that a row is of `kind`. */
const kindsOf = ({ organizations, kinds, within }: Listed) => kindsIn(organizations, kinds, spanOver(within));
const isOf = sql`
  organization_id = kind.organization_id and status = kind.status and type = kind.type and terms = kind.terms
  and issuing_bank = kind.issuing_bank`;

/** Counts the rows of each kind by its index. */
export async function countWithin(queries: Queries, listed: Listed): Promise<number> {
  const { count } = await queries.one<{ count: bigint }>(sql`
    select coalesce(sum(payments), 0)::bigint as count from (${kindsOf(listed)}) as kind
    cross join lateral (select count(*) as payments from payment where ${isOf} and ${created(listed.within)}) as counted`);
  return Number(count);
}

/** Reads the newest rows of each kind by its index and merges them. */
export const findNewest = (queries: Queries, listed: Listed, page: Page): Promise<Position[]> =>
  queries.many<Position>(
    pageOf(
      sql`
        select id, created_at from (${kindsOf(listed)}) as kind
        cross join lateral (
          select id, created_at from payment where ${isOf} and ${created(listed.within)}
          ${newestFirst} limit ${page.offset + page.limit}
        ) as newest`,
      page,
    ),
  );

/** Counts rows of an amount in centavos up to `most`, and finds the positions of a page. */
export async function findOfAmount(
  queries: Queries,
  { organizations, kinds, within }: Listed,
  amount: bigint,
  { most, ...page }: Page & { most: number },
): Promise<{ count: number; positions: Position[] }> {
  const matching = sql`
    organization_id = owner and amount = ${amount} and status is not null and ${created(within)} and ${ofKind(kinds)}`;
  const [{ count }, positions] = await Promise.all([
    queries.one<{ count: bigint }>(sql`
      select count(*) as count from (
        select from unnest(${organizations}::uuid[]) as owner
        cross join lateral (select from payment where ${matching} limit ${most}) as matched
        limit ${most}
      ) as counted`),
    queries.many<Position>(
      pageOf(
        sql`
          select id, created_at from unnest(${organizations}::uuid[]) as owner
          cross join lateral (
            select id, created_at from payment where ${matching} ${newestFirst} limit ${page.offset + page.limit}
          ) as newest`,
        page,
      ),
    ),
  ]);
  return { count: Number(count), positions };
}

/** The condition that a row has what the `search` asks for. */
export const isNamed = (named: Search['named']) =>
  ifAsked(named, sql`(organization_id = any(${named?.organizations}) or amount = ${named?.amount})`);

const hasCode = ({ codeParts, wholeCodes }: Search) =>
  ifAsked(
    codeParts.length + wholeCodes.length > 0 || undefined,
    sql`(operation_code = any(${wholeCodes}) or operation_code::text like any(${codeParts.map((part) => `%${part}%`)}))`,
  );

/** The positions of the payments with these ids that match everything. */
export function findOfIds(
  queries: Queries,
  { organizations, kinds, within }: Listed,
  ids: string[],
  search: Search,
): Promise<Position[]> {
  return queries.many<Position>(sql`
    select ${position} from payment
    where id = any(${ids}) and organization_id = any(${organizations}) and status is not null and ${created(within)}
      and ${ofKind(kinds)} and ${hasCode(search)} and ${isNamed(search.named)}
    ${newestFirst}`);
}

export function findShown(queries: Queries, ids: string[]): Promise<PaymentRow[]> {
  return queries.many<PaymentRow>(sql`select ${shown} from payment where id = any(${ids}) ${newestFirst}`);
}
