import { expect, test } from '@jest/globals';
import { dayQuery } from './reports.ts';
import { settlementQuery } from './settlements.ts';
import { validate } from './validation.ts';

test.each([
  ['0000-01-01', 'must be 2000-01-01 or later'],
  ['0001-01-01', 'must be 2000-01-01 or later'],
  ['1999-12-31', 'must be 2000-01-01 or later'],
  ['10000-01-01', 'must be a day (YYYY-MM-DD)'],
  ['yesterday', 'must be a day (YYYY-MM-DD)'],
])('no report begins on %s', (day, message) => {
  expect(() => validate(dayQuery, { from: day })).toThrow(`from: ${message}`);
  expect(() => validate(settlementQuery, { from: day, to: '2026-11-20' })).toThrow(`from: ${message}`);
});

test('the first day of all is 2000-01-01', () => {
  expect(validate(dayQuery, { from: '2000-01-01' })).toEqual({ from: '2000-01-01' });
});
