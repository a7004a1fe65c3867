import type { Queries } from '@cobro/postgres/database.ts';
import { countWithin, type Listed, type Page } from './partner-payment.store.ts';
import {
  ALWAYS,
  type Bucket,
  DAY_MS,
  type DayRange,
  daysOf,
  type Interval,
  intervalOfSpan,
  type Spans,
  type Window,
  windowOf,
} from './payment-tally.rules.ts';
import { readTallies } from './payment-tally.store.ts';

export interface ListedAt extends Listed {
  /** Business time. Nothing but speed depends on it: the newest days are looked at first. */
  now: Date;
}

export const isEver = ({ from, to }: Interval) => from <= ALWAYS.from && to >= ALWAYS.to;

export const sumOf = (buckets: Bucket[]) => buckets.reduce((sum, { payments }) => sum + payments, 0);

/** How many payments there are in months and days by their tallies, and in the rest by their rows. */
export async function bucketsOf(queries: Queries, listed: ListedAt, { tallied, rest }: Spans): Promise<Bucket[]> {
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

/** So many days are looked at first, before the months of all time. */
export const FEW_DAYS = 3;

/** The buckets of so many days up to now, and of what lies in the future. */
export function bucketsOfNewest(queries: Queries, listed: ListedAt, days: number): Promise<Bucket[]> {
  const { to } = daysOf(ALWAYS);
  const { from } = daysOf({ from: new Date(listed.now.getTime() - days * DAY_MS), to: listed.now });
  return bucketsOf(queries, listed, { tallied: [{ span: 'day', from, to }], rest: [] });
}

/** The months, then the days, in which a page lies; undefined where no bucket has its rows. */
export async function narrowWindow(
  queries: Queries,
  listed: ListedAt,
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
