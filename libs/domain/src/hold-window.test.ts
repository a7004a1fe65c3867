import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { holdDaysRemaining, holdExpired, holdExpiresAt, issuerDayCloses } from './hold-window.ts';

const intl = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/Mexico_City',
  dateStyle: 'short',
  timeStyle: 'medium',
});
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const laterDay = (day: string, days: number) => new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

/** The naive model tries each offset that Mexico City ever had, and takes the one by which Intl shows that time. */
function naively(day: string, time: string): Date {
  for (const offset of [5, 6, 7, 8]) {
    const instant = new Date(Date.parse(`${day}T${time}:00Z`) + offset * hourMs);
    if (intl.format(instant) === `${day} ${time}:00`) return instant;
  }
  throw new Error(`no ${time} on ${day}`);
}

function naiveCutoffs(heldAt: Date): Date[] {
  const day1 = intl.format(heldAt).slice(0, 10);
  return [0, 1, 2, 3, 4, 5, 6].map((days) => naively(laterDay(day1, days), '23:00'));
}

const remaining = (heldAt: string | Date, now: string | Date) =>
  holdDaysRemaining(holdExpiresAt(new Date(heldAt)), new Date(heldAt), new Date(now));

const anywhere = fc.date({ min: new Date('1996-01-01'), max: new Date('2060-01-01'), noInvalidDate: true });
/** Placements in weeks with a change of the clocks, and within two seconds of a local 23:00 or midnight. */
const edges = fc
  .record({
    cutoff: fc.constantFrom('2022-03-28', '2022-04-02', '2022-10-24', '2022-10-29', '2024-02-25', '2026-12-28'),
    days: fc.nat(6),
    hour: fc.constantFrom(0, 1),
    ms: fc.integer({ min: -2_000, max: 2_000 }),
  })
  .map(({ cutoff, days, hour, ms }) => {
    return new Date(naively(laterDay(cutoff, days), '23:00').getTime() + hour * hourMs + ms);
  });
const placements = fc.oneof(anywhere, edges);
const elapsed = fc.oneof(
  fc.integer({ min: 0, max: 9 * dayMs }),
  fc.nat(9).map((days) => days * dayMs),
);

describe('a hold expires at 23:00 Mexico City on its 7th natural day', () => {
  test.each([
    ['in the morning', '2026-11-20T09:00:00-06:00', '2026-11-26T23:00:00-06:00'],
    ['in the first millisecond of a day', '2026-11-20T00:00:00.000-06:00', '2026-11-26T23:00:00-06:00'],
    ['just before the cutoff', '2026-11-20T22:59:59.999-06:00', '2026-11-26T23:00:00-06:00'],
    ['at the cutoff', '2026-11-20T23:00:00.000-06:00', '2026-11-26T23:00:00-06:00'],
    ['in the last millisecond of a day', '2026-11-20T23:59:59.999-06:00', '2026-11-26T23:00:00-06:00'],
    ['one millisecond later', '2026-11-21T00:00:00.000-06:00', '2026-11-27T23:00:00-06:00'],
    ['over the end of a month', '2026-11-27T12:00:00-06:00', '2026-12-03T23:00:00-06:00'],
    ['over the end of a year', '2026-12-28T12:00:00-06:00', '2027-01-03T23:00:00-06:00'],
    ['over a leap day', '2028-02-26T12:00:00-06:00', '2028-03-03T23:00:00-06:00'],
    ['on a leap day', '2028-02-29T12:00:00-06:00', '2028-03-06T23:00:00-06:00'],
    ['over the end of a February without one', '2027-02-26T12:00:00-06:00', '2027-03-04T23:00:00-06:00'],
    ['over the start of summer time', '2022-04-01T12:00:00-06:00', '2022-04-07T23:00:00-05:00'],
    ['over the end of summer time', '2022-10-26T12:00:00-05:00', '2022-11-01T23:00:00-06:00'],
    ['when the 7th day is that of the change', '2022-10-24T12:00:00-05:00', '2022-10-30T23:00:00-06:00'],
    ['in the second 01:30 of that day', '2022-10-30T01:30:00-06:00', '2022-11-05T23:00:00-06:00'],
    ['in summer, when summer time was over for good', '2023-07-01T12:00:00-06:00', '2023-07-07T23:00:00-06:00'],
  ])('placed %s', (_when, heldAt, expiresAt) => {
    expect(holdExpiresAt(new Date(heldAt))).toEqual(new Date(expiresAt));
  });

  test('and the issuing bank closes that day half an hour later', () => {
    const heldAt = new Date('2022-10-26T12:00:00-05:00');
    expect(issuerDayCloses(heldAt)).toEqual(new Date('2022-11-01T23:30:00-06:00'));
    fc.assert(
      fc.property(placements, (at) => {
        expect(issuerDayCloses(at).getTime() - holdExpiresAt(at).getTime()).toBe(30 * minuteMs);
      }),
    );
  });

  test('agrees with the naive model', () => {
    fc.assert(
      fc.property(placements, (heldAt) => {
        expect(holdExpiresAt(heldAt)).toEqual(naiveCutoffs(heldAt)[6]);
      }),
      { numRuns: 500 },
    );
  });

  test('a hold placed later never expires earlier', () => {
    fc.assert(
      fc.property(placements, elapsed, (heldAt, ms) => {
        const later = new Date(heldAt.getTime() + ms);
        expect(holdExpiresAt(later).getTime()).toBeGreaterThanOrEqual(holdExpiresAt(heldAt).getTime());
      }),
    );
  });

  test('an invalid date throws', () => {
    expect(() => holdExpiresAt(new Date(Number.NaN))).toThrow(RangeError);
  });
});

test('a hold is expired from its cutoff on, not a millisecond before', () => {
  const expiresAt = new Date('2026-11-26T23:00:00-06:00');
  expect(holdExpired(expiresAt, new Date('2026-11-26T22:59:59.999-06:00'))).toBe(false);
  expect(holdExpired(expiresAt, new Date('2026-11-26T23:00:00-06:00'))).toBe(true);
  expect(holdExpired(expiresAt, new Date('2027-11-26T23:00:00-06:00'))).toBe(true);
});

describe('the days remaining', () => {
  test.each([
    ['2026-11-20T00:00:00.000-06:00', 7],
    ['2026-11-20T22:59:59.999-06:00', 7],
    ['2026-11-20T23:00:00.000-06:00', 6],
    ['2026-11-20T23:59:59.999-06:00', 6],
    ['2026-11-21T00:00:00.000-06:00', 7],
  ])('at the placement at %s are %d', (heldAt, days) => {
    expect(remaining(heldAt, heldAt)).toBe(days);
  });

  test.each([
    ['2026-11-20T22:59:59.999-06:00', 7],
    ['2026-11-20T23:00:00.000-06:00', 6],
    ['2026-11-21T00:00:00.000-06:00', 6],
    ['2026-11-21T23:00:00.000-06:00', 5],
    ['2026-11-25T22:59:59.999-06:00', 2],
    ['2026-11-25T23:00:00.000-06:00', 1],
    ['2026-11-26T22:59:59.999-06:00', 1],
    ['2026-11-26T23:00:00.000-06:00', 0],
    ['2026-11-26T23:30:00.000-06:00', 0],
    ['2026-12-26T12:00:00.000-06:00', 0],
  ])('of a hold placed on the morning of 20 November are at %s: %d', (now, days) => {
    expect(remaining('2026-11-20T09:00:00-06:00', now)).toBe(days);
  });

  test.each([
    ['2026-11-20T09:00:00.000-06:00', '2026-11-20T08:59:58.000-06:00', 7],
    ['2026-11-21T00:00:00.500-06:00', '2026-11-20T22:59:59.000-06:00', 7],
    ['2026-11-20T23:00:00.500-06:00', '2026-11-20T22:59:59.500-06:00', 6],
    ['2026-11-20T09:00:00.000-06:00', '2026-11-01T09:00:00.000-06:00', 7],
  ])('of a hold placed at %s by the clock of the bank are at %s by ours: %d', (heldAt, now, days) => {
    expect(remaining(heldAt, now)).toBe(days);
  });

  test('agree with the naive model: the days whose 23:00 is still ahead', () => {
    fc.assert(
      fc.property(placements, elapsed, fc.integer({ min: -2_000, max: 2_000 }), (heldAt, ms, skew) => {
        const now = new Date(heldAt.getTime() + ms + skew);
        const from = Math.max(heldAt.getTime(), now.getTime());
        const ahead = naiveCutoffs(heldAt).filter((cutoff) => cutoff.getTime() > from);
        expect(remaining(heldAt, now)).toBe(ahead.length);
      }),
      { numRuns: 1_000 },
    );
  });

  test('agree with the naive model within a millisecond of every cutoff', () => {
    fc.assert(
      fc.property(placements, fc.nat(6), fc.constantFrom(-1, 0, 1), (heldAt, day, ms) => {
        const cutoffs = naiveCutoffs(heldAt);
        const now = new Date(cutoffs[day]!.getTime() + ms);
        const from = Math.max(heldAt.getTime(), now.getTime());
        expect(remaining(heldAt, now)).toBe(cutoffs.filter((cutoff) => cutoff.getTime() > from).length);
      }),
      { numRuns: 500 },
    );
  });

  test('never rise, are 0 to 7, and are 0 exactly when the hold has expired', () => {
    fc.assert(
      fc.property(placements, elapsed, elapsed, (heldAt, ms, more) => {
        const now = new Date(heldAt.getTime() + ms);
        const days = remaining(heldAt, now);
        expect([0, 1, 2, 3, 4, 5, 6, 7]).toContain(days);
        expect(remaining(heldAt, new Date(now.getTime() + more))).toBeLessThanOrEqual(days);
        expect(days === 0).toBe(holdExpired(holdExpiresAt(heldAt), now));
      }),
    );
  });
});
