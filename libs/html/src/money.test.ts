import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { monthlyPayments, pesos } from './money.ts';

test.each([
  [1n, '$0.01'],
  [99_999n, '$999.99'],
  [100_000n, '$1,000.00'],
  [125_050n, '$1,250.50'],
  [99_999_999_999n, '$999,999,999.99'],
])('%s centavos are %s', (centavos, text) => {
  expect(pesos(centavos)).toBe(text);
});

test.each([
  [100_000n, 3, 33_333n, 33_334n],
  [120_000n, 12, 10_000n, 10_000n],
  [125_050n, 12, 10_420n, 10_430n],
  [125_050n, 1, 125_050n, 125_050n],
  [1n, 3, 0n, 1n],
])('%s centavos in %s payments are %s each, the last one %s', (amount, terms, each, last) => {
  expect(monthlyPayments(amount, terms)).toEqual({ each, last });
});

test('the payments add up to the amount, and the last one is greater by less than a centavo per payment', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 99_999_999_999n), fc.constantFrom(1, 3, 6, 9, 12), (amount, terms) => {
      const { each, last } = monthlyPayments(amount, terms);
      expect(each * BigInt(terms - 1) + last).toBe(amount);
      expect(last - each).toBeGreaterThanOrEqual(0n);
      expect(last - each).toBeLessThan(BigInt(terms));
    }),
  );
});
