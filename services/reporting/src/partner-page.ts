import { developerPaymentStatuses, paymentTypes } from '@cobro/contracts/developer-payments.ts';
import { COUNTED_MATCHES } from '@cobro/contracts/partner-payments.ts';
import type { Queries } from '@cobro/postgres/database.ts';
import { type NamedOrAmount, rangesWithDigits, type Search } from './partner-payment.rules.ts';
import {
  countInRanges,
  countWithin,
  findLargestCode,
  findNewest,
  findNewestOf,
  findNewestOfCode,
  findOfAmount,
  findOfCode,
  findOfDays,
  findOfIds,
  findOfKinds,
  type Listed as ListedRows,
  type Page,
  type Place,
} from './partner-payment.store.ts';
import {
  ALWAYS,
  type Bucket,
  DAY_MS,
  type DayRange,
  daysOf,
  type Interval,
  intervalOf,
  intervalOfSpan,
  type Spans,
  spansOf,
  type Window,
  windowOf,
} from './payment-tally.rules.ts';
import { countEver, type KindFilters, readTallies } from './payment-tally.store.ts';

/** What a partner asks for. An undefined filter excludes nothing. */
export interface PartnerFilters {
  /** The organizations asked for, all of them the partner's. */
  organizations: string[];
  ids: string[] | undefined;
  kinds: KindFilters;
  from: Date | undefined;
  to: Date | undefined;
  search: Search;
  /** Business time. Nothing but speed depends on it: the newest days are looked at first. */
  now: Date;
}

export interface PartnerPage {
  /** Ids of the page's payments. */
  ids: string[];
  count: number;
  /** True where there are more matches than `count` says. */
  capped: boolean;
}

type Listed = ListedRows & Pick<PartnerFilters, 'now'>;

/** So few rows of each organization are read in order and merged, without looking at tallies first. */
const NEAR = 1_000;
/** So few matches are read by the kinds that they have. */
const FEW = 1_000;
/** So many days are looked at before the months of all time. */
const NEWEST_DAYS = [3, 30];
/** For so many days the tallies of each day are read; for more, those of all time. */
const DAYS = 45;
/** Three digits are found in at least one of some 300 codes, among the oldest as among the newest. */
const OFTEN = 3;
const ONE_OF_CODES = 300;
/** So many matches of such digits are found soon by reading from the newest row on. */
const SOON = 200;
/** Among so many rows there are several with such digits. */
const ROWS_A_MATCH = 2 * ONE_OF_CODES;

/** Finds a page of the partner's list and counts the list. Each way reads about as much as it shows, whatever the table's size. */
export async function findPartnerPage(queries: Queries, filters: PartnerFilters, page: Page): Promise<PartnerPage> {
  const { organizations, ids, kinds, search, now } = filters;
  const listed: Listed = { organizations, kinds, within: intervalOf(filters), now };
  if (ids !== undefined) return shown(await findOfIds(queries, listed, ids, search), page);
  if (search.codeParts.length + search.wholeCodes.length > 0) return ofCode(queries, listed, search, page);
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
async function ofKinds(queries: Queries, listed: Listed, page: Page): Promise<Found> {
  const { organizations, kinds, within } = listed;
  const ordered = inOrder(kinds);
  const near = ordered && page.offset + page.limit <= NEAR / ordered.lists;
  if (isEver(within)) {
    const [count, places] = await Promise.all([
      countEver(queries, organizations, kinds),
      near ? ordered.find(queries, listed, page) : undefined,
    ]);
    if (places !== undefined) return { count, places };
    if (count <= page.offset) return { count, places: [] };
    if (count <= FEW) return { count, places: await (ordered?.find ?? findOfKinds)(queries, listed, page) };
    return { count, places: await ofWindow(queries, listed, page, await enoughBuckets(queries, listed, page)) };
  }
  const [buckets, places] = await Promise.all([
    bucketsOf(queries, listed, spansOf(within)),
    near ? ordered.find(queries, listed, page) : undefined,
  ]);
  const count = sumOf(buckets);
  return { count, places: places ?? (await ofWindow(queries, listed, page, buckets)) };
}

const isEver = ({ from, to }: Interval) => from <= ALWAYS.from && to >= ALWAYS.to;

interface Ordered {
  find: (queries: Queries, listed: ListedRows, page: Page) => Promise<Place[]>;
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

/** The buckets of the newest days if the page lies there, otherwise of all time. */
async function enoughBuckets(queries: Queries, listed: Listed, { offset, limit }: Page): Promise<Bucket[]> {
  const { to } = daysOf(ALWAYS);
  for (const days of offset + limit <= NEAR ? NEWEST_DAYS : []) {
    const { from } = daysOf({ from: new Date(listed.now.getTime() - days * DAY_MS), to: listed.now });
    const buckets = await bucketsOf(queries, listed, { tallied: [{ span: 'day', from, to }], rest: [] });
    if (sumOf(buckets) >= offset + limit) return buckets;
  }
  return bucketsOf(queries, listed, spansOf(listed.within));
}

const sumOf = (buckets: Bucket[]) => buckets.reduce((sum, { payments }) => sum + payments, 0);

async function bucketsOf(queries: Queries, listed: Listed, { tallied, rest }: Spans): Promise<Bucket[]> {
  const [tallies, counts] = await Promise.all([
    tallied.length === 0 ? [] : readTallies(queries, listed.organizations, listed.kinds, tallied),
    Promise.all(rest.map((piece) => countWithin(queries, { ...listed, within: piece }))),
  ]);
  return [
    ...tallies.map(({ span, starts, payments }) => ({
      ...intervalOfSpan(span, starts),
      payments: Number(payments),
      isMonth: span === 'month',
    })),
    ...rest.map((piece, i) => ({ ...piece, payments: counts[i] ?? 0, isMonth: false })),
  ];
}

/** Reads only the months, then the days, in which the page lies. */
async function ofWindow(queries: Queries, listed: Listed, page: Page, buckets: Bucket[]): Promise<Place[]> {
  const window = await narrowWindow(queries, listed, buckets, page);
  if (window === undefined) return [];
  const { from, to, skip } = window;
  const part = { ...listed, within: { from, to } };
  const days = daysOf({ from, to });
  const rows = { offset: skip, limit: page.limit };
  const ordered = inOrder(listed.kinds);
  if (ordered !== undefined) return ordered.find(queries, part, rows);
  return to.getTime() - from.getTime() <= DAYS * DAY_MS
    ? findOfDays(queries, part, days, rows)
    : findOfKinds(queries, part, rows);
}

/** The months, then the days, in which a page lies; undefined where no bucket has its rows. */
async function narrowWindow(
  queries: Queries,
  listed: Listed,
  buckets: Bucket[],
  { offset, limit }: Page,
): Promise<Window | undefined> {
  const wide = windowOf(buckets, offset, limit);
  if (wide === undefined) return undefined;
  const inside = buckets.filter(({ from }) => from >= wide.from && from < wide.to);
  const months = inside.filter(({ isMonth }) => isMonth);
  const [oldest, newest] = [months.toSorted(byTime)[0], months.toSorted(byTime).at(-1)];
  if (oldest === undefined || newest === undefined) return wide;
  const days: DayRange = { span: 'day', ...daysOf({ from: oldest.from, to: newest.to }) };
  const finer = await bucketsOf(queries, listed, { tallied: [days], rest: [] });
  // Another payment may have come in between; then the months are right as they are.
  return windowOf([...inside.filter(({ isMonth }) => !isMonth), ...finer], wide.skip, limit) ?? wide;
}

const byTime = (a: Bucket, b: Bucket) => a.from.getTime() - b.from.getTime();

/** Finds by operation code, and by name or amount where both are asked for. */
async function ofCode(queries: Queries, listed: Listed, search: Search, page: Page): Promise<PartnerPage> {
  const anyKind = Object.values(listed.kinds).every((filter) => filter === undefined);
  const often =
    anyKind && search.named === undefined ? search.codeParts.find(({ length }) => length === OFTEN) : undefined;
  const soon = page.offset + page.limit <= SOON ? often : undefined;
  if (soon !== undefined && isEver(listed.within) && (await isCappedSurely(queries, listed.organizations, soon))) {
    return answer(await newestOfCode(queries, listed, search, page), COUNTED_MATCHES + 1);
  }
  const found = await findOfCode(queries, listed, search, { ...page, most: COUNTED_MATCHES + 1 });
  if (found.count <= COUNTED_MATCHES) return answer(found.places, found.count);
  const places =
    soon !== undefined
      ? await newestOfCode(queries, listed, search, page)
      : (await findOfCode(queries, listed, search, { ...page, most: undefined })).places;
  return answer(places, found.count);
}

/** Whether the codes that begin with such digits, or have them after few others, are already more matches than are counted. */
async function isCappedSurely(queries: Queries, organizations: string[], digits: string): Promise<boolean> {
  const largest = await findLargestCode(queries, organizations);
  if (largest < COUNTED_MATCHES * ONE_OF_CODES) return false;
  const ranges = rangesWithDigits(digits, largest);
  return (await countInRanges(queries, organizations, ranges, COUNTED_MATCHES + 1)) > COUNTED_MATCHES;
}

/** Looks first at so many of the newest rows as should have the page's matches, then, if they have not, at all. */
async function newestOfCode(queries: Queries, listed: Listed, search: Search, page: Page): Promise<Place[]> {
  const rows = { offset: 0, limit: (page.offset + page.limit) * ROWS_A_MATCH };
  const buckets = await enoughBuckets(queries, listed, rows);
  const within = await narrowWindow(queries, listed, buckets, rows);
  if (within !== undefined) {
    const places = await findNewestOfCode(queries, { ...listed, within }, search, page);
    if (places.length === page.limit) return places;
  }
  return findNewestOfCode(queries, listed, search, page);
}

/** Organizations whose name matches with all their payments, the others with those of the amount. */
async function ofNameOrAmount(
  queries: Queries,
  listed: Listed,
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
