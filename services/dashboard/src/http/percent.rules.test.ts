import { expect, test } from '@jest/globals';
import { percentIn } from './percent.rules.ts';

test.each([
  ['', 0],
  ['4.5', 4.5],
  ['4.5%', 4.5],
  ['4.5 \t %', 4.5],
  ['%', 0],
  ['20.01', undefined],
  ['1.234', undefined],
  ['4.5 %%', undefined],
  ['1 1', undefined],
])('%j is %j percent', (text, percent) => {
  expect(percentIn(text, 20)).toBe(percent);
});

test('a form full of blanks is read at once', () => {
  const begun = performance.now();
  expect(percentIn(`1${' '.repeat(64_000)}1`, 20)).toBeUndefined();
  expect(performance.now() - begun).toBeLessThan(5_000);
});
