import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  cardExpired,
  clockInMexicoCity,
  dayEnd,
  dayInMexicoCity,
  dayStart,
  mexicoCity,
  timeOfDay,
} from './mexico-city.ts';

const intl = new Intl.DateTimeFormat('sv-SE', {
  timeZone: mexicoCity,
  dateStyle: 'short',
  timeStyle: 'medium',
});
const since1922 = fc.date({
  min: new Date('1922-01-02T00:00:00Z'),
  max: new Date('2100-01-01T00:00:00Z'),
  noInvalidDate: true,
});
const hour = (n: number) => new Date(Date.UTC(2018, 0, 1, n));

describe('days in Mexico City', () => {
  test.each([
    ['2026-11-20T05:59:59.999Z', '2026-11-19'],
    ['2026-11-20T06:00:00.000Z', '2026-11-20'],
    ['2027-01-01T05:59:59.999Z', '2026-12-31'],
    ['2028-03-01T05:59:59.999Z', '2028-02-29'],
    ['2022-07-15T04:59:59.999Z', '2022-07-14'],
    ['2022-07-15T05:00:00.000Z', '2022-07-15'],
  ])('%s is in %s', (instant, day) => {
    expect(dayInMexicoCity(new Date(instant))).toBe(day);
  });

  test('the clock agrees with Intl at any instant, also just around the changes of the zone', () => {
    const nearAChange = fc
      .tuple(
        fc.constantFrom('1996-04-07T08:00Z', '2001-05-06T08:00Z', '2022-04-03T08:00Z', '2022-10-30T07:00Z'),
        fc.integer({ min: -7_200_000, max: 7_200_000 }),
      )
      .map(([change, ms]) => new Date(Date.parse(change) + ms));
    fc.assert(
      fc.property(fc.oneof(since1922, nearAChange), (instant) => {
        const shown = clockInMexicoCity(instant).toISOString();
        expect(shown.slice(0, 19).replace('T', ' ')).toBe(intl.format(instant));
        expect(shown.slice(19)).toBe(instant.toISOString().slice(19));
      }),
      { numRuns: 2_000 },
    );
  });

  test('the clock is still right after more hours were asked for than are remembered', () => {
    for (let n = 0; n < 45_000; n += 1) clockInMexicoCity(hour(n));
    for (const n of [0, 5_000, 19_999, 20_000, 30_000, 44_999]) {
      expect(dayInMexicoCity(hour(n))).toBe(intl.format(hour(n)).slice(0, 10));
    }
  });

  test('an invalid date has no day', () => {
    expect(() => dayInMexicoCity(new Date(Number.NaN))).toThrow(RangeError);
  });
});

describe('the bounds of a day', () => {
  test.each([
    ['2026-11-20', '2026-11-20T06:00:00.000Z', '2026-11-21T05:59:59.999Z'],
    ['2028-02-29', '2028-02-29T06:00:00.000Z', '2028-03-01T05:59:59.999Z'],
    ['2026-12-31', '2026-12-31T06:00:00.000Z', '2027-01-01T05:59:59.999Z'],
    ['2022-04-03', '2022-04-03T06:00:00.000Z', '2022-04-04T04:59:59.999Z'],
    ['2022-10-30', '2022-10-30T05:00:00.000Z', '2022-10-31T05:59:59.999Z'],
    ['1939-02-05', '1939-02-05T06:00:00.000Z', '1939-02-06T04:59:59.999Z'],
    ['9999-12-31', '9999-12-31T06:00:00.000Z', '+010000-01-01T05:59:59.999Z'],
  ])('%s is from %s to %s', (day, start, end) => {
    expect(dayStart(day).toISOString()).toBe(start);
    expect(dayEnd(day).toISOString()).toBe(end);
  });

  test('hold every instant of the day and no other', () => {
    fc.assert(
      fc.property(since1922, (instant) => {
        const day = dayInMexicoCity(instant);
        expect(dayStart(day).getTime()).toBeLessThanOrEqual(instant.getTime());
        expect(dayEnd(day).getTime()).toBeGreaterThanOrEqual(instant.getTime());
        expect(dayInMexicoCity(dayStart(day))).toBe(day);
        expect(dayInMexicoCity(dayEnd(day))).toBe(day);
        expect(dayInMexicoCity(new Date(dayStart(day).getTime() - 1))).not.toBe(day);
        expect(dayInMexicoCity(new Date(dayEnd(day).getTime() + 1))).not.toBe(day);
      }),
    );
  });

  const noDays = ['2026-02-29', '2026-13-01', '2026-11', '2026-W10', '2026-11-20T10:00', '20261120', ' 2026-11-20'];
  test.each([...noDays, '+002026-11-20', ''])('%p is refused', (day) => {
    const refused = new RangeError(`not a day (YYYY-MM-DD): ${day}`);
    expect(() => dayStart(day)).toThrow(RangeError);
    expect(() => dayStart(day)).toThrow(refused);
    expect(() => dayEnd(day)).toThrow(refused);
    expect(() => timeOfDay(day, { days: 0, hour: 0, minute: 0 })).toThrow(refused);
  });
});

test('a time of a later day is counted in days of the calendar, not in hours', () => {
  expect(timeOfDay('2022-10-29', { days: 2, hour: 9, minute: 5 }).toISOString()).toBe('2022-10-31T15:05:00.000Z');
  expect(timeOfDay('2022-04-02', { days: 1, hour: 9, minute: 5 }).toISOString()).toBe('2022-04-03T14:05:00.000Z');
});

describe('a card', () => {
  test.each([
    [{ month: 11, year: 2026 }, '2026-12-01T05:59:59.999Z', false],
    [{ month: 11, year: 2026 }, '2026-12-01T06:00:00.000Z', true],
    [{ month: 12, year: 2026 }, '2027-01-01T05:59:59.999Z', false],
    [{ month: 12, year: 2026 }, '2027-01-01T06:00:00.000Z', true],
    [{ month: 1, year: 2027 }, '2026-12-31T12:00:00.000Z', false],
    [{ month: 12, year: 2025 }, '2026-01-15T12:00:00.000Z', true],
    [{ month: 2, year: 2028 }, '2028-03-01T05:59:59.999Z', false],
  ])('that expires in %p is at %s expired: %p', (expiry, now, expired) => {
    expect(cardExpired(expiry, new Date(now))).toBe(expired);
  });
});
