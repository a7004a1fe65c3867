import { COUNTED_MATCHES } from '@cobro/contracts/partner-payments.ts';
import type { Queries } from '@cobro/postgres/database.ts';
import { longRangesWith, rangesOfCodes } from './operation-code.rules.ts';
import { countInRanges, findLargestCode, findNewestOfCode, findOfCode } from './operation-code.store.ts';
import type { Search } from './partner-payment.rules.ts';
import type { Page, Place } from './partner-payment.store.ts';
import { bucketsOf, bucketsOfNewest, FEW_DAYS, isEver, type ListedAt, narrowWindow, sumOf } from './payment-buckets.ts';
import { spansOf } from './payment-tally.rules.ts';

/** Three digits are found in at least one of some 300 codes, among the oldest as among the newest. */
const OFTEN = 3;
const ONE_OF_CODES = 300;
/** So many matches of such digits are found soon by reading from the newest row on. */
const SOON = 200;
/** Among so many rows there are several with such digits. */
const ROWS_A_MATCH = 2 * ONE_OF_CODES;
/** So many codes are looked up sooner, whoever's they are, than the index of parts is read. */
const MANY_CODES = 2_000;

/** Finds by operation code, and by name or amount where both are asked for. */
export async function findByCode(
  queries: Queries,
  listed: ListedAt,
  search: Search,
  page: Page,
): Promise<{ count: number; places: Place[] }> {
  const anyKind = Object.values(listed.kinds).every((filter) => filter === undefined);
  const often =
    anyKind && search.named === undefined ? search.codeParts.find(({ length }) => length === OFTEN) : undefined;
  const soon = page.offset + page.limit <= SOON ? often : undefined;
  const { organizations, within } = listed;
  const largest = search.codeParts.length === 0 ? 0 : await findLargestCode(queries);
  if (soon !== undefined && isEver(within) && (await isCappedSurely(queries, organizations, soon, largest))) {
    return { count: COUNTED_MATCHES + 1, places: await newestOfCode(queries, listed, search, page) };
  }
  const ranges = rangesOfCodes(search, largest, MANY_CODES);
  const found = await findOfCode(queries, listed, { ...search, ranges }, { ...page, most: COUNTED_MATCHES + 1 });
  if (found.count <= COUNTED_MATCHES) return found;
  const places =
    soon !== undefined
      ? await newestOfCode(queries, listed, search, page)
      : (await findOfCode(queries, listed, { ...search, ranges }, { ...page, most: undefined })).places;
  return { count: found.count, places };
}

/** Whether the codes that begin with such digits, or have them after few others, are already more matches than are counted. */
async function isCappedSurely(
  queries: Queries,
  organizations: string[],
  digits: string,
  largest: number,
): Promise<boolean> {
  if (largest < COUNTED_MATCHES * ONE_OF_CODES) return false;
  const ranges = longRangesWith(digits, largest);
  return (await countInRanges(queries, organizations, ranges, COUNTED_MATCHES + 1)) > COUNTED_MATCHES;
}

/** Looks first at so many of the newest rows as should have the page's matches, then, if they have not, at all. */
async function newestOfCode(queries: Queries, listed: ListedAt, search: Search, page: Page): Promise<Place[]> {
  const rows = { offset: 0, limit: (page.offset + page.limit) * ROWS_A_MATCH };
  const newest = isEver(listed.within) ? await bucketsOfNewest(queries, listed, FEW_DAYS) : [];
  const isEnough = sumOf(newest) >= rows.limit;
  const buckets = isEnough ? newest : await bucketsOf(queries, listed, spansOf(listed.within));
  const within = await narrowWindow(queries, listed, buckets, rows);
  if (within !== undefined) {
    const places = await findNewestOfCode(queries, { ...listed, within }, search, page);
    if (places.length === page.limit) return places;
  }
  return findNewestOfCode(queries, listed, search, page);
}
