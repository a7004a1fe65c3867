import { type Queries, type Sql, sql } from '@cobro/postgres/database.ts';
import { ifAsked } from './asked.ts';
import type { Interval } from './payment-tally.rules.ts';
import type { Search } from './partner-payment.rules.ts';
import { kindsIn, type KindFilters, ofKind } from './payment-tally.store.ts';
import type { PaymentRow } from './payment.rules.ts';
import { shown } from './payment.store.ts';

/** Where a payment stands in the list: newest first, and the id decides between equal times. */
export interface Place {
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
const place = sql`id, created_at as "createdAt"`;

/** The first `last` rows of each source, merged: all that a page which ends there can contain. */
const pageOf = (merged: Sql, { offset, limit }: Page) => sql`
  select ${place} from (${merged}) as merged ${newestFirst} limit ${limit} offset ${offset}`;

export async function countWithin(queries: Queries, { organizations, kinds, within }: Listed): Promise<number> {
  const { count } = await queries.one<{ count: bigint }>(sql`
    select count(*) as count from unnest(${organizations}::uuid[]) as owner
    cross join lateral (
      select from payment where organization_id = owner and status is not null and ${created(within)} and ${ofKind(kinds)}
    ) as counted`);
  return Number(count);
}

/** Reads each organization's newest and merges them; for pages near the beginning of the time, of what it has many of. */
export function findNewest(queries: Queries, { organizations, kinds, within }: Listed, page: Page): Promise<Place[]> {
  return queries.many<Place>(
    pageOf(
      sql`
        select id, created_at from unnest(${organizations}::uuid[]) as owner
        cross join lateral (
          select id, created_at from payment
          where organization_id = owner and status is not null and ${created(within)} and ${ofKind(kinds)}
          ${newestFirst} limit ${page.offset + page.limit}
        ) as newest`,
      page,
    ),
  );
}

/** Reads each organization's newest of each status and type and merges them; for pages near the beginning of the time. */
export function findNewestOf(
  queries: Queries,
  { organizations, within }: Listed,
  { statuses, types }: { statuses: readonly string[]; types: readonly string[] },
  page: Page,
): Promise<Place[]> {
  return queries.many<Place>(
    pageOf(
      sql`
        select id, created_at from unnest(${organizations}::uuid[]) as owner
        cross join unnest(${statuses}::text[]) as of_status
        cross join unnest(${types}::text[]) as of_type
        cross join lateral (
          select id, created_at from payment
          where organization_id = owner and status = of_status and type = of_type and status is not null and ${created(within)}
          ${newestFirst} limit ${page.offset + page.limit}
        ) as newest`,
      page,
    ),
  );
}

/** Reads the newest rows of each kind and day that there is, and merges them; for few days. */
export function findOfDays(
  queries: Queries,
  { organizations, kinds, within }: Listed,
  days: { from: string; to: string },
  page: Page,
): Promise<Place[]> {
  // The limit also keeps the planner from joining the other way round: from all rows of these days, whoever's they are.
  return queries.many<Place>(
    pageOf(
      sql`
        select id, created_at from (${kindsIn(organizations, kinds, days)}) as kind
        cross join lateral (
          select id, created_at from payment where ${isOf} and ${created(within)}
            and created_at >= starts::timestamp at time zone interval '-06:00'
            and created_at < (starts + 1)::timestamp at time zone interval '-06:00'
          ${newestFirst} limit ${page.offset + page.limit}
        ) as found`,
      page,
    ),
  );
}

/** Reads the newest rows of each kind and merges them; for filters that match few rows. */
export function findOfKinds(queries: Queries, { organizations, kinds, within }: Listed, page: Page): Promise<Place[]> {
  return queries.many<Place>(
    pageOf(
      sql`
        select id, created_at from (${kindsIn(organizations, kinds)}) as kind
        cross join lateral (
          select id, created_at from payment where ${isOf} and ${created(within)}
          ${newestFirst} limit ${page.offset + page.limit}
        ) as newest`,
      page,
    ),
  );
}

const isOf = sql`
  organization_id = kind.organization_id and status = kind.status and type = kind.type and terms = kind.terms
  and issuing_bank = kind.issuing_bank and status is not null`;

/** Rows with an amount in centavos: how many up to `most`, and the places of a page. */
export async function findOfAmount(
  queries: Queries,
  { organizations, kinds, within }: Listed,
  amount: bigint,
  { most, ...page }: Page & { most: number },
): Promise<{ count: number; places: Place[] }> {
  const matching = sql`
    organization_id = owner and amount = ${amount} and status is not null and ${created(within)} and ${ofKind(kinds)}`;
  const [{ count }, places] = await Promise.all([
    queries.one<{ count: bigint }>(sql`
      select count(*) as count from (
        select from unnest(${organizations}::uuid[]) as owner
        cross join lateral (select from payment where ${matching} limit ${most}) as matched
        limit ${most}
      ) as counted`),
    queries.many<Place>(
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
  return { count: Number(count), places };
}

/** The condition that a row has what the `search` asks for. */
export const isNamed = (named: Search['named']) =>
  ifAsked(named, sql`(organization_id = any(${named?.organizations}) or amount = ${named?.amount})`);

const hasCode = ({ codeParts, wholeCodes }: Search) =>
  ifAsked(
    codeParts.length + wholeCodes.length > 0 || undefined,
    sql`(operation_code = any(${wholeCodes}) or operation_code::text like any(${codeParts.map((part) => `%${part}%`)}))`,
  );

/** Of payments with these ids those that match everything, with their places. */
export function findOfIds(
  queries: Queries,
  { organizations, kinds, within }: Listed,
  ids: string[],
  search: Search,
): Promise<Place[]> {
  return queries.many<Place>(sql`
    select ${place} from payment
    where id = any(${ids}) and organization_id = any(${organizations}) and status is not null and ${created(within)}
      and ${ofKind(kinds)} and ${hasCode(search)} and ${isNamed(search.named)}
    ${newestFirst}`);
}

export function findShown(queries: Queries, ids: string[]): Promise<PaymentRow[]> {
  return queries.many<PaymentRow>(sql`select ${shown} from payment where id = any(${ids}) ${newestFirst}`);
}
