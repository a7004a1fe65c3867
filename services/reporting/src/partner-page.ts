import { developerPaymentStatuses, paymentTypes } from '@cobro/contracts/developer-payments.ts';
import { COUNTED_MATCHES } from '@cobro/contracts/partner-payments.ts';
import type { Queries } from '@cobro/postgres/database.ts';
import { findOfCodes } from './operation-code.store.ts';
import type { NamedOrAmount, Search } from './partner-payment.rules.ts';
import {
  findNewest,
  findNewestOf,
  findOfAmount,
  findOfDays,
  findOfIds,
  findOfKinds,
  type Page,
  type Place,
} from './partner-payment.store.ts';
import { ALWAYS, type Bucket, DAY_MS, daysOf, intervalOf, spansOf } from './payment-tally.rules.ts';
import { bucketsOf, bucketsOfNewest, FEW_DAYS, isEver, type ListedAt, narrowWindow, sumOf } from './payment-buckets.ts';
import { countEver, type KindFilters, readShares, type Share } from './payment-tally.store.ts';

/** What a partner asks for. An undefined filter excludes nothing. */
export interface PartnerFilters {
  /** The organizations asked for, all of them the partner's. */
  organizations: string[];
  ids: string[] | undefined;
  kinds: KindFilters;
  from: Date | undefined;
  to: Date | undefined;
  search: Search;
  now: ListedAt['now'];
}

export interface PartnerPage {
  /** Ids of the page's payments. */
  ids: string[];
  count: number;
  /** True where there are more matches than `count` says. */
  capped: boolean;
}

/** So few rows of each organization are read in order and merged, without looking at tallies first. */
const NEAR = 1_000;
/** So few matches are read by the kinds that they have. */
const FEW = 1_000;
/** So many days are looked at where the page does not lie in the newest few, before the months of all time. */
const SOME_DAYS = 30;
/** In so few days rows are read in the order of the list, whatever their kind, if so many at the most have to be read. */
const ORDERED_DAYS = 2;
const ORDERED_ROWS = 10_000;
/** For so many days the tallies of each day are read; for more, those of all time. */
const DAYS = 45;

/** Finds a page of the partner's list and counts the list. Each way reads about as much as it shows, whatever the table's size. */
export async function findPartnerPage(queries: Queries, filters: PartnerFilters, page: Page): Promise<PartnerPage> {
  const { organizations, ids, kinds, search, now } = filters;
  const listed: ListedAt = { organizations, kinds, within: intervalOf(filters), now };
  if (ids !== undefined) return shown(await findOfIds(queries, listed, ids, search), page);
  if (search.codeParts.length + search.wholeCodes.length > 0) {
    const { count, places } = await findOfCodes(queries, listed, search, page);
    return answer(places, count);
  }
  if (search.named !== undefined) return ofNameOrAmount(queries, listed, search.named, page);
  const { count, places } = await ofKinds(queries, listed, page);
  return { ids: places.map(({ id }) => id), count, capped: false };
}

/** The page of a list that is here as a whole. */
const shown = (all: Place[], { offset, limit }: Page): PartnerPage => ({
  ids: all.slice(offset, offset + limit).map(({ id }) => id),
  count: all.length,
  capped: false,
});

interface Found {
  count: number;
  places: Place[];
}

/** Counts by tallies, and reads the rows in whichever way reads the fewest. */
async function ofKinds(queries: Queries, listed: ListedAt, page: Page): Promise<Found> {
  const { organizations, kinds, within } = listed;
  const ordered = inOrder(kinds);
  if (ordered !== undefined && page.offset + page.limit <= NEAR / ordered.lists) {
    const [count, places] = await Promise.all([countOf(queries, listed), ordered.find(queries, listed, page)]);
    return { count, places };
  }
  if (!isEver(within)) {
    const buckets = await bucketsOf(queries, listed, spansOf(within));
    return { count: sumOf(buckets), places: await ofWindow(queries, listed, page, buckets) };
  }
  const isSoon = page.offset + page.limit <= NEAR;
  const [count, newest] = await Promise.all([
    countEver(queries, organizations, kinds),
    isSoon ? bucketsOfNewest(queries, listed, FEW_DAYS) : [],
  ]);
  if (count <= page.offset) return { count, places: [] };
  if (count <= FEW) return { count, places: await (ordered?.find ?? findOfKinds)(queries, listed, page) };
  const buckets = isSoon ? await enoughBuckets(queries, listed, page, newest) : await bucketsOf(queries, listed, ever);
  return { count, places: await ofWindow(queries, listed, page, buckets) };
}

const countOf = async (queries: Queries, listed: ListedAt): Promise<number> =>
  isEver(listed.within)
    ? countEver(queries, listed.organizations, listed.kinds)
    : sumOf(await bucketsOf(queries, listed, spansOf(listed.within)));

interface Ordered {
  find: (queries: Queries, listed: ListedAt, page: Page) => Promise<Place[]>;
  /** How many lists of each organization are merged. */
  lists: number;
}

/** How rows are read in the order of an index; undefined where no index has the order for what the filters ask. */
function inOrder({ status, type, ...others }: KindFilters): Ordered | undefined {
  if (Object.values(others).some((filter) => filter !== undefined)) return undefined;
  if ((status ?? type) === undefined) return { find: findNewest, lists: 1 };
  const of = { statuses: status ?? developerPaymentStatuses, types: type ?? paymentTypes };
  return {
    find: (queries, listed, page) => findNewestOf(queries, listed, of, page),
    lists: of.statuses.length * of.types.length,
  };
}

const ever = spansOf(ALWAYS);

/** The buckets of the newest days if the page lies there, otherwise of all time. `newest` are those of the newest few days. */
async function enoughBuckets(queries: Queries, listed: ListedAt, page: Page, newest: Bucket[]): Promise<Bucket[]> {
  const last = page.offset + page.limit;
  if (sumOf(newest) >= last) return newest;
  const more = await bucketsOfNewest(queries, listed, SOME_DAYS);
  return sumOf(more) >= last ? more : bucketsOf(queries, listed, ever);
}

/** Reads only the months, then the days, in which the page lies. */
async function ofWindow(queries: Queries, listed: ListedAt, page: Page, buckets: Bucket[]): Promise<Place[]> {
  const window = await narrowWindow(queries, listed, buckets, page);
  if (window === undefined) return [];
  const { from, to, skip } = window;
  const part = { ...listed, within: { from, to } };
  const rows = { offset: skip, limit: page.limit };
  const ordered = inOrder(listed.kinds);
  if (ordered !== undefined) return ordered.find(queries, part, rows);
  const length = to.getTime() - from.getTime();
  if (length > DAYS * DAY_MS) return findOfKinds(queries, part, rows);
  const days = daysOf({ from, to });
  const isDense =
    length <= ORDERED_DAYS * DAY_MS &&
    rowsInOrder(await readShares(queries, part.organizations, part.kinds, days), skip + page.limit) <= ORDERED_ROWS;
  return isDense ? findNewest(queries, part, rows) : findOfDays(queries, part, days, rows);
}

/** About how many rows are read until so many of each organization are found. One that has fewer is read to its end. */
const rowsInOrder = (shares: Share[], wanted: number): number =>
  shares.reduce((sum, share) => sum + Number(share.ofAll) * Math.min(1, wanted / Number(share.ofKinds)), 0);

/** Organizations whose name matches with all their payments, the others with those of the amount. */
async function ofNameOrAmount(
  queries: Queries,
  listed: ListedAt,
  { organizations: named, amount }: NamedOrAmount,
  page: Page,
): Promise<PartnerPage> {
  const others = listed.organizations.filter((id) => !named.includes(id));
  const byName = named.length > 0;
  const byAmount = amount !== undefined && others.length > 0;
  // Both lists from their beginning, if they have to be merged.
  const part = byName && byAmount ? { offset: 0, limit: page.offset + page.limit } : page;
  const [ofNames, ofAmounts] = await Promise.all([
    byName ? ofKinds(queries, { ...listed, organizations: named }, part) : none,
    byAmount
      ? findOfAmount(queries, { ...listed, organizations: others }, amount, { ...part, most: COUNTED_MATCHES + 1 })
      : none,
  ]);
  const count = ofNames.count + ofAmounts.count;
  if (!byName || !byAmount) return answer([...ofNames.places, ...ofAmounts.places], count);
  const merged = [...ofNames.places, ...ofAmounts.places].toSorted(newestFirst);
  return answer(merged.slice(page.offset, page.offset + page.limit), count);
}

const none: Found = { count: 0, places: [] };

const newestFirst = (a: Place, b: Place) => b.createdAt.getTime() - a.createdAt.getTime() || (b.id < a.id ? -1 : 1);

const answer = (places: Place[], count: number): PartnerPage => ({
  ids: places.map(({ id }) => id),
  count: Math.min(count, COUNTED_MATCHES),
  capped: count > COUNTED_MATCHES,
});
