import { COUNTED_MATCHES } from '@cobro/contracts/partner-payments.ts';
import type { Queries } from '@cobro/postgres/database.ts';
import { findOfCodes } from './operation-code.store.ts';
import type { NamedOrAmount, Search } from './partner-payment.rules.ts';
import {
  countWithin,
  findNewest,
  findOfAmount,
  findOfIds,
  type Listed,
  type Page,
  type Position,
} from './partner-payment.store.ts';
import {
  type Bucket,
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
import { type KindFilters, readTallies } from './payment-tally.store.ts';

/** What a partner asks for. An undefined filter excludes nothing. */
export interface PartnerFilters {
  /** The organizations asked for, all of them the partner's. */
  organizations: string[];
  ids: string[] | undefined;
  kinds: KindFilters;
  from: Date | undefined;
  to: Date | undefined;
  search: Search;
}

export interface PartnerPage {
  /** Ids of the page's payments. */
  ids: string[];
  count: number;
  /** True if there are more matches than `count`. */
  capped: boolean;
}

/** Finds a page of the partner's list and counts the list. */
export async function findPartnerPage(queries: Queries, filters: PartnerFilters, page: Page): Promise<PartnerPage> {
  const { organizations, ids, kinds, search } = filters;
  const listed: Listed = { organizations, kinds, within: intervalOf(filters) };
  if (ids !== undefined) return shown(await findOfIds(queries, listed, ids, search), page);
  if (search.codeParts.length + search.wholeCodes.length > 0) {
    const { count, positions } = await findOfCodes(queries, listed, search, page);
    return answer(positions, count);
  }
  if (search.named !== undefined) return ofNameOrAmount(queries, listed, search.named, page);
  const { count, positions } = await ofKinds(queries, listed, page);
  return { ids: positions.map(({ id }) => id), count, capped: false };
}

/** Cuts the page out of a complete list. */
const shown = (all: Position[], { offset, limit }: Page): PartnerPage => ({
  ids: all.slice(offset, offset + limit).map(({ id }) => id),
  count: all.length,
  capped: false,
});

interface Found {
  count: number;
  positions: Position[];
}

/** Counts by tallies, which also show between which days the page lies, and reads the rows of these days kind by kind. */
async function ofKinds(queries: Queries, listed: Listed, page: Page): Promise<Found> {
  const buckets = await bucketsOf(queries, listed, spansOf(listed.within));
  const count = buckets.reduce((sum, { payments }) => sum + payments, 0);
  const window = await narrowWindow(queries, listed, buckets, page);
  if (window === undefined) return { count, positions: [] };
  const { skip, ...within } = window;
  return { count, positions: await findNewest(queries, { ...listed, within }, { offset: skip, limit: page.limit }) };
}

/** Counts payments in months and days by their tallies, and in the rest by their rows. */
async function bucketsOf(queries: Queries, listed: Listed, { tallied, rest }: Spans): Promise<Bucket[]> {
  const ofRange = async (range: DayRange): Promise<Bucket[]> =>
    (await readTallies(queries, listed.organizations, listed.kinds, range)).map(({ starts, payments }) => ({
      ...intervalOfSpan(range.span, starts),
      payments: Number(payments),
      isMonth: range.span === 'month',
    }));
  const ofPiece = async (within: Interval): Promise<Bucket[]> => [
    { ...within, payments: await countWithin(queries, { ...listed, within }), isMonth: false },
  ];
  return (await Promise.all([...tallied.map(ofRange), ...rest.map(ofPiece)])).flat();
}

/** The days in which a page lies; undefined if no bucket has its rows. */
async function narrowWindow(
  queries: Queries,
  listed: Listed,
  buckets: Bucket[],
  { offset, limit }: Page,
): Promise<Window | undefined> {
  const wide = windowOf(buckets, offset, limit);
  if (wide === undefined) return undefined;
  const inside = buckets.filter(({ from }) => from >= wide.from && from < wide.to);
  // Only the first and the last month can have more than a page. The page contains the others completely.
  const long = inside.filter(({ isMonth, payments }) => isMonth && payments > limit);
  const days = long.map((month) => ({ span: 'day' as const, ...daysOf(month) }));
  const finer = await bucketsOf(queries, listed, { tallied: days, rest: [] });
  const others = inside.filter((bucket) => !long.includes(bucket));
  // If a payment has come since the first count, the days may not fit; the months then serve as they are.
  return windowOf([...others, ...finer], wide.skip, limit) ?? wide;
}

/** All payments of organizations whose name matches, and the others' payments of the amount. */
async function ofNameOrAmount(
  queries: Queries,
  listed: Listed,
  { organizations: named, amount }: NamedOrAmount,
  page: Page,
): Promise<PartnerPage> {
  const others = listed.organizations.filter((id) => !named.includes(id));
  const byName = named.length > 0;
  const byAmount = amount !== undefined && others.length > 0;
  // Lists that are merged are read from their beginning.
  const part = byName && byAmount ? { offset: 0, limit: page.offset + page.limit } : page;
  const [ofNames, ofAmounts] = await Promise.all([
    byName ? ofKinds(queries, { ...listed, organizations: named }, part) : none,
    byAmount
      ? findOfAmount(queries, { ...listed, organizations: others }, amount, { ...part, most: COUNTED_MATCHES + 1 })
      : none,
  ]);
  const count = ofNames.count + ofAmounts.count;
  if (!byName || !byAmount) return answer([...ofNames.positions, ...ofAmounts.positions], count);
  const merged = [...ofNames.positions, ...ofAmounts.positions].toSorted(newestFirst);
  return answer(merged.slice(page.offset, page.offset + page.limit), count);
}

const none: Found = { count: 0, positions: [] };

const newestFirst = (a: Position, b: Position) =>
  b.createdAt.getTime() - a.createdAt.getTime() || (b.id < a.id ? -1 : 1);

const answer = (positions: Position[], count: number): PartnerPage => ({
  ids: positions.map(({ id }) => id),
  count: Math.min(count, COUNTED_MATCHES),
  capped: count > COUNTED_MATCHES,
});
