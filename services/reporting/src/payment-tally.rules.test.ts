import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  ALWAYS,
  type Bucket,
  DAY_MS,
  daysOf,
  intervalOf,
  intervalOfSpan,
  spanOver,
  spansOf,
  windowOf,
} from './payment-tally.rules.ts';

const at = (time: string) => new Date(time);
const range = (from: string, to: string) => ({ from: at(from), to: at(to) });

describe('a range of time is cut into', () => {
  test('whole months, the whole days around them, and the pieces of days at its ends', () => {
    expect(spansOf(range('2025-12-30T05:00:00.000Z', '2026-03-02T06:00:00.001Z'))).toEqual({
      tallied: [
        { span: 'month', from: '2026-01-01', to: '2026-03-01' },
        { span: 'day', from: '2025-12-30', to: '2026-01-01' },
        { span: 'day', from: '2026-03-01', to: '2026-03-02' },
      ],
      rest: [
        range('2025-12-30T05:00:00.000Z', '2025-12-30T06:00:00.000Z'),
        range('2026-03-02T06:00:00.000Z', '2026-03-02T06:00:00.001Z'),
      ],
    });
  });

  test('one piece, where it has no whole day', () => {
    const hours = range('2026-03-02T07:00:00.000Z', '2026-03-04T05:59:59.999Z');
    expect(spansOf(hours)).toEqual({
      tallied: [],
      rest: [hours],
    });
  });

  test.each([
    ['whole months', '2026-01-01', '2026-03-01', 'month'],
    ['days, where no month is whole', '2026-01-10', '2026-02-15', 'day'],
    ['days, where it ends as a month begins', '2026-01-10', '2026-02-01', 'day'],
    ['a single day', '2026-01-10', '2026-01-11', 'day'],
  ])('%s alone, from %s to %s', (_, from, to, span) => {
    const whole = range(`${from}T06:00:00.000Z`, `${to}T06:00:00.000Z`);
    expect(spansOf(whole)).toEqual({ tallied: [{ span, from, to }], rest: [] });
  });

  test('nothing, where it ends as it begins', () => {
    const instant = range('2026-03-02T07:00:00.000Z', '2026-03-02T07:00:00.000Z');
    expect(spansOf(instant)).toEqual({ tallied: [], rest: [] });
  });

  test('nothing, where it ends before it begins', () => {
    const none = intervalOf(range('2026-03-04T00:00:00.000Z', '2026-03-02T00:00:00.000Z'));
    expect(spansOf(none)).toEqual({ tallied: [], rest: [] });
  });

  test('months alone, where it has no ends', () => {
    expect(intervalOf({ from: undefined, to: undefined })).toEqual(ALWAYS);
    expect(spansOf(ALWAYS).rest).toEqual([]);
  });
});

test('an interval has both of its ends in it, to the millisecond, and goes no further than all payments', () => {
  const [from, to] = ['2026-03-02T07:00:00.000Z', '2026-03-04T07:00:00.000Z'] as const;
  expect(intervalOf(range(from, to))).toEqual(range(from, '2026-03-04T07:00:00.001Z'));
  expect(intervalOf(range('1931-01-01T00:00:00.000Z', '9999-12-31T00:00:00.000Z'))).toEqual(ALWAYS);
});

test('a month and a day of the tallies are those of UTC-6', () => {
  expect(intervalOfSpan('month', '2026-12-01')).toEqual(range('2026-12-01T06:00:00.000Z', '2027-01-01T06:00:00.000Z'));
  expect(intervalOfSpan('day', '2026-02-28')).toEqual(range('2026-02-28T06:00:00.000Z', '2026-03-01T06:00:00.000Z'));
});

test('the days of an interval are those of UTC-6 that it touches', () => {
  const days = (from: string, to: string) => daysOf(range(from, to));
  const two = { from: '2026-03-01', to: '2026-03-03' };
  expect(days('2026-03-02T05:59:59.999Z', '2026-03-03T06:00:00.000Z')).toEqual(two);
  expect(days('2026-03-02T06:00:00.000Z', '2026-03-03T06:00:00.001Z')).toEqual({
    from: '2026-03-02',
    to: '2026-03-04',
  });
});

test('an interval of a month at most is over its days, and a longer one over its months', () => {
  expect(spanOver(range('2026-03-02T06:00:00.000Z', '2026-04-02T06:00:00.000Z'))).toEqual({
    span: 'day',
    from: '2026-03-02',
    to: '2026-04-02',
  });
  expect(spanOver(range('2026-03-02T06:00:00.000Z', '2026-04-02T06:00:00.001Z'))).toEqual({
    span: 'month',
    from: '2026-03-01',
    to: '2026-04-03',
  });
});

const time = fc.integer({ min: Date.UTC(2023, 0, 1), max: Date.UTC(2027, 0, 1) }).map((ms) => new Date(ms));

/** The milliseconds of a month or day range, month by month or day by day. */
function milliseconds({ span, from, to }: { span: 'month' | 'day'; from: string; to: string }): number {
  let sum = 0;
  for (let starts = from; starts < to;) {
    const { from: begin, to: end } = intervalOfSpan(span, starts);
    sum += end.getTime() - begin.getTime();
    starts = daysOf({ from: end, to: end }).from;
  }
  return sum;
}

test('the parts of any range make up the range', () => {
  fc.assert(
    fc.property(time, time, (from, to) => {
      const { tallied, rest } = spansOf({ from, to });
      const whole = tallied.reduce((sum, days) => sum + milliseconds(days), 0);
      const pieces = rest.reduce((sum, piece) => sum + piece.to.getTime() - piece.from.getTime(), 0);
      expect(whole + pieces).toBe(Math.max(0, to.getTime() - from.getTime()));
    }),
  );
});

test('a page lies in the window that is found for it, wherever it begins', () => {
  const counts = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 20 });
  fc.assert(
    fc.property(counts, fc.nat(60), fc.integer({ min: 1, max: 10 }), (payments, offset, limit) => {
      const buckets = payments.map((number, day): Bucket => {
        const from = new Date(day * DAY_MS);
        return { from, to: new Date((day + 1) * DAY_MS), payments: number, isMonth: false };
      });
      const times = buckets.toReversed().flatMap((bucket) => Array<Date>(bucket.payments).fill(bucket.from));
      const window = windowOf(buckets, offset, limit);
      const inWindow = times.filter((day) => window !== undefined && day >= window.from && day < window.to);
      const skip = window?.skip ?? 0;
      expect(inWindow.slice(skip, skip + limit)).toEqual(times.slice(offset, offset + limit));
    }),
  );
});

test.each([
  [0, 1, 2, 2, 0],
  [0, 5, 2, 2, 0],
  [3, 2, 2, 2, 3],
  [3, 3, 1, 2, 3],
  [5, 5, 1, 1, 0],
  [4, 11, 0, 2, 4],
  [14, 9, 0, 0, 4],
])('the window of a page from row %d, %d long, is no larger than days %d to %d', (offset, limit, first, last, skip) => {
  const days = [0, 1, 2].map((day): Bucket => {
    return { from: new Date(day * DAY_MS), to: new Date((day + 1) * DAY_MS), payments: 5, isMonth: false };
  });
  expect(windowOf(days, offset, limit)).toEqual({ from: days[first]?.from, to: days[last]?.to, skip });
});
