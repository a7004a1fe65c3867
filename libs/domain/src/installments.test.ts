import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { paidTerms as paidTermsBy } from './installments.ts';

const paidTerms = (payment: Omit<Parameters<typeof paidTermsBy>[0], 'installments'>) =>
  paidTermsBy({ ...payment, installments: 'MONTHLY' });

test.each([
  ['at once', '2026-11-20T12:00:00-06:00', '2026-11-20T12:00:00-06:00', 1],
  ['on the last day of the first month', '2026-11-20T12:00:00-06:00', '2026-12-19T23:59:59.999-06:00', 1],
  ['from the start of the day a month later', '2026-11-20T12:00:00-06:00', '2026-12-20T00:00:00-06:00', 2],
  ['over the end of a year', '2026-11-20T12:00:00-06:00', '2027-01-20T00:00:00-06:00', 3],
  ['when the month is too short, before its last day', '2027-01-31T12:00:00-06:00', '2027-02-27T12:00:00-06:00', 1],
  ['when the month is too short, on its last day', '2027-01-31T12:00:00-06:00', '2027-02-28T00:00:00-06:00', 2],
  ['in February of a leap year', '2028-01-31T12:00:00-06:00', '2028-02-28T12:00:00-06:00', 1],
  ['in a longer month again', '2027-01-31T12:00:00-06:00', '2027-03-30T12:00:00-06:00', 2],
  ['in the evening, when it is tomorrow in UTC', '2026-11-20T19:00:00-06:00', '2026-12-19T19:00:00-06:00', 1],
  ['at most as many as were agreed', '2026-11-20T12:00:00-06:00', '2036-11-20T12:00:00-06:00', 12],
  ['by a clock behind that of the bank', '2026-12-01T00:00:01-06:00', '2026-11-30T23:59:59-06:00', 1],
])('terms are paid %s', (_when, movedAt, now, paid) => {
  expect(paidTerms({ movedAt: new Date(movedAt), terms: 12, now: new Date(now) })).toBe(paid);
});

test('no term is paid before money moved', () => {
  expect(paidTerms({ movedAt: null, terms: 12, now: new Date('2026-11-20T12:00:00-06:00') })).toBe(0);
});

test('a single payment is paid once for all', () => {
  expect(paidTerms({ movedAt: new Date('2026-11-20'), terms: 1, now: new Date('2030-01-01') })).toBe(1);
});

test('the paid terms never fall as time goes on', () => {
  const instants = fc.date({ min: new Date('2000-01-01'), max: new Date('2050-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(instants, instants, fc.nat(90 * 86_400_000), (movedAt, now, ms) => {
      const paid = paidTerms({ movedAt, terms: 1_000, now });
      expect(paidTerms({ movedAt, terms: 1_000, now: new Date(now.getTime() + ms) })).toBeGreaterThanOrEqual(paid);
    }),
  );
});

test('an acquirer that pays at once has paid all terms once money moved', () => {
  const asked = { terms: 12, installments: 'AT_ONCE', now: new Date('2026-11-20T12:00:00-06:00') } as const;
  expect(paidTermsBy({ ...asked, movedAt: null })).toBe(0);
  expect(paidTermsBy({ ...asked, movedAt: new Date('2026-11-20T12:00:00-06:00') })).toBe(12);
});
