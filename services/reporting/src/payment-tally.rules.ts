/**
 * Tallies have the number of payments of each month and each day. Days are those of UTC-6, which is Mexico City's time, as `YYYY-MM-DD`.
 * The rules here cut a range of time into months, days and the rest, and find where in it a page lies.
 */

/** A range of time. The end is not in it. */
export interface Interval {
  from: Date;
  to: Date;
}

/** Months or days, by their first days. The end is not in it. */
export interface DayRange {
  span: 'month' | 'day';
  from: string;
  to: string;
}

/** How a range is counted: months and days by tallies, and the pieces of days at its ends by their rows. */
export interface Spans {
  tallied: DayRange[];
  rest: Interval[];
}

/** A part of the range with its count. */
export interface Bucket extends Interval {
  payments: number;
  isMonth: boolean;
}

/** Where a page lies: behind the interval's newest `skip` rows. */
export interface Window extends Interval {
  skip: number;
}

const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
const OFFSET_MS = 6 * HOUR_MS;

/** From before to after all payments. */
export const ALWAYS: Interval = { from: new Date('1970-01-01T06:00:00Z'), to: new Date('9999-01-01T06:00:00Z') };

/** The interval between two times that are both included, in whole milliseconds as rows have them. */
export function intervalOf(range: { from: Date | undefined; to: Date | undefined }): Interval {
  const from = Math.max(range.from?.getTime() ?? -Infinity, ALWAYS.from.getTime());
  const to = Math.min((range.to?.getTime() ?? Infinity) + 1, ALWAYS.to.getTime());
  return { from: new Date(Math.min(from, ALWAYS.to.getTime())), to: new Date(Math.max(to, ALWAYS.from.getTime())) };
}

export function spansOf({ from, to }: Interval): Spans {
  const first = Math.ceil((from.getTime() - OFFSET_MS) / DAY_MS);
  const end = Math.floor((to.getTime() - OFFSET_MS) / DAY_MS);
  if (first >= end) return { tallied: [], rest: from < to ? [{ from, to }] : [] };
  const rest = [
    { from, to: beginOf(first) },
    { from: beginOf(end), to },
  ].filter((piece) => piece.from < piece.to);
  const firstMonth = monthBegin(first, first === monthBegin(first, 0) ? 0 : 1);
  const endMonth = monthBegin(end, 0);
  const day = (a: number, b: number): DayRange => ({ span: 'day', from: dayName(a), to: dayName(b) });
  if (firstMonth >= endMonth) return { tallied: [day(first, end)], rest };
  const months: DayRange = { span: 'month', from: dayName(firstMonth), to: dayName(endMonth) };
  const days = [day(first, firstMonth), day(endMonth, end)].filter((range) => range.from < range.to);
  return { tallied: [months, ...days], rest };
}

/** The interval of a month or a day of the tallies. */
export function intervalOfSpan(span: DayRange['span'], starts: string): Interval {
  const day = Date.parse(`${starts}T00:00:00Z`) / DAY_MS;
  return { from: beginOf(day), to: beginOf(span === 'day' ? day + 1 : monthBegin(day, 1)) };
}

/** The smallest interval of buckets that has the `limit` rows from `offset` on, newest first; undefined if there is none. */
export function windowOf(buckets: readonly Bucket[], offset: number, limit: number): Window | undefined {
  const newestFirst = buckets.toSorted((a, b) => b.from.getTime() - a.from.getTime());
  let before = 0;
  let found: Window | undefined;
  for (const { from, to, payments } of newestFirst) {
    if (found === undefined && before + payments > offset) found = { from, to, skip: offset - before };
    else if (found !== undefined) found.from = from;
    before += payments;
    if (before >= offset + limit) break;
  }
  return found;
}

/** The days that the interval touches. The end is not among them. */
export function daysOf({ from, to }: Interval): Omit<DayRange, 'span'> {
  return {
    from: dayName(Math.floor((from.getTime() - OFFSET_MS) / DAY_MS)),
    to: dayName(Math.ceil((to.getTime() - OFFSET_MS) / DAY_MS)),
  };
}

/** The days that the interval touches, or the months if it is longer than one. */
export function spanOver(interval: Interval): DayRange {
  const days = daysOf(interval);
  const isLong = interval.to.getTime() - interval.from.getTime() > 31 * DAY_MS;
  return isLong ? { span: 'month', from: `${days.from.slice(0, 7)}-01`, to: days.to } : { span: 'day', ...days };
}

const beginOf = (day: number) => new Date(day * DAY_MS + OFFSET_MS);
const dayName = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** The number of the first day of the month `later` months after the day's own. */
function monthBegin(day: number, later: number): number {
  const date = new Date(day * DAY_MS);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1) / DAY_MS;
}
