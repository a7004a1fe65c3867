import { expect, test } from '@jest/globals';
import { periodicities, type Periodicity } from '@cobro/contracts/periodicities.ts';
import * as fc from 'fast-check';
// Independent of luxon, which the code uses.
import { Temporal } from 'temporal-polyfill';
import {
  beginsAt,
  type Billing,
  dueAt,
  endsOn,
  latestFirstBilling,
  numberAt,
  retrySlots,
  startsOn,
} from './billing-periods.ts';

const zone = 'America/Mexico_City';
const units = {
  WEEKLY: { weeks: 1 },
  BIWEEKLY: { weeks: 2 },
  MONTHLY: { months: 1 },
  QUARTERLY: { months: 3 },
  SEMIANNUAL: { months: 6 },
  YEARLY: { years: 1 },
} as const satisfies Record<Periodicity, Temporal.DurationLike>;

/** `startsOn` by the other calendar. */
const startOf = ({ firstBillingDate, periodicity }: Billing, number: number): Temporal.PlainDate => {
  const [[unit, each]] = Object.entries(units[periodicity]) as [[string, number]];
  return Temporal.PlainDate.from(firstBillingDate).add({ [unit]: each * (number - 1) });
};
const at = (day: Temporal.PlainDate, time: string) =>
  new Date(day.toZonedDateTime({ timeZone: zone, plainTime: time }).epochMilliseconds);
const days = (from: string, to: string) =>
  Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to), { largestUnit: 'day' }).days;

const everyDay = (from: string, count: number) =>
  Array.from({ length: count }, (_, i) => Temporal.PlainDate.from(from).add({ days: i }).toString());

/** Ten years of first days, with three leap days, and with years in which the clocks of Mexico City were still changed. */
const tenYears = everyDay('2019-06-01', 3_653);
const anyBilling = fc.record({
  firstBillingDate: fc.constantFrom(...tenYears),
  periodicity: fc.constantFrom(...periodicities),
});
const anyNumber = fc.integer({ min: 1, max: 600 });

test.each<[Periodicity, string, string[]]>([
  ['MONTHLY', '2026-01-31', ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31']],
  ['MONTHLY', '2027-12-30', ['2027-12-30', '2028-01-30', '2028-02-29', '2028-03-30']],
  ['YEARLY', '2028-02-29', ['2028-02-29', '2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29']],
  ['QUARTERLY', '2026-11-30', ['2026-11-30', '2027-02-28', '2027-05-30', '2027-08-30']],
  ['SEMIANNUAL', '2027-08-31', ['2027-08-31', '2028-02-29', '2028-08-31', '2029-02-28']],
  ['WEEKLY', '2026-12-28', ['2026-12-28', '2027-01-04', '2027-01-11']],
  ['BIWEEKLY', '2028-02-20', ['2028-02-20', '2028-03-05', '2028-03-19']],
])('%s from %s: always from the anchor, clamped to the month’s last day', (periodicity, firstBillingDate, starts) => {
  expect(starts.map((_, i) => startsOn({ firstBillingDate, periodicity }, i + 1))).toEqual(starts);
});

test.each(periodicities)('%s: each start of ten years of first days is what another calendar says', (periodicity) => {
  const wrong = tenYears.filter((firstBillingDate, i) => {
    const billing = { firstBillingDate, periodicity };
    const number = 2 + (i % 26);
    return startsOn(billing, number) !== startOf(billing, number).toString();
  });
  expect(wrong).toEqual([]);
});

test('a period ends on the day before the next one begins, and none is empty', () => {
  fc.assert(
    fc.property(anyBilling, anyNumber, (billing, number) => {
      expect(days(endsOn(billing, number), startsOn(billing, number + 1))).toBe(1);
      expect(endsOn(billing, number) >= startsOn(billing, number)).toBe(true);
    }),
  );
});

test('periods are Mexico City days, due at 08:00 there, whatever its clocks did', () => {
  fc.assert(
    fc.property(anyBilling, anyNumber, (billing, number) => {
      const day = startOf(billing, number);
      expect(beginsAt(billing, number)).toEqual(new Date(day.toZonedDateTime(zone).epochMilliseconds));
      expect(dueAt(billing, number)).toEqual(at(day, '08:00'));
    }),
  );
});

test('each moment lies in the one period that has begun and not ended', () => {
  const anyMs = fc.integer({ min: 0, max: 86_399_999 });
  fc.assert(
    fc.property(anyBilling, fc.integer({ min: 0, max: 4_000 }), anyMs, (billing, daysOn, ms) => {
      const day = Temporal.PlainDate.from(billing.firstBillingDate).add({ days: daysOn });
      const now = new Date(at(day, '00:00').getTime() + Math.min(ms, 82_000_000));
      const number = numberAt(billing, now);
      const today = now.toLocaleDateString('en-CA', { timeZone: zone });
      expect(startsOn(billing, number) <= today && today <= endsOn(billing, number)).toBe(true);
    }),
  );
});

test('a period changes at midnight in Mexico City', () => {
  fc.assert(
    fc.property(anyBilling, anyNumber, (billing, number) => {
      const begins = beginsAt(billing, number);
      expect(numberAt(billing, begins)).toBe(number);
      expect(numberAt(billing, new Date(begins.getTime() - 1))).toBe(number - 1);
    }),
  );
});

test('a decline is retried at 08:00 of due day + 1, 3, 7, 14, those before the next due day', () => {
  fc.assert(
    fc.property(anyBilling, anyNumber, (billing, number) => {
      const day = startOf(billing, number);
      const next = startOf(billing, number + 1);
      const slots = [1, 3, 7, 14]
        .map((ahead) => day.add({ days: ahead }))
        .filter((slot) => Temporal.PlainDate.compare(slot, next) < 0);
      expect(retrySlots(billing, number)).toEqual(slots.map((slot) => at(slot, '08:00')));
      // So periods never overlap.
      expect(retrySlots(billing, number).every((slot) => slot < beginsAt(billing, number + 1))).toBe(true);
    }),
  );
  const slotsOf = (periodicity: Periodicity) => retrySlots({ firstBillingDate: '2026-11-02', periodicity }, 1).length;
  expect(periodicities.map(slotsOf)).toEqual([2, 3, 4, 4, 4, 4]);
});

test('a subscription may begin a year from now at the latest', () => {
  expect(latestFirstBilling('2026-11-27')).toBe('2027-11-27');
  expect(latestFirstBilling('2028-02-29')).toBe('2029-02-28');
});
