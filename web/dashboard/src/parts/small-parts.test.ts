import { describe, expect, test } from '@jest/globals';
import { centavosIn, signedPesos } from './small-parts.ts';

describe('pesos of the API', () => {
  test.each<[number | string, string]>([
    [0, '$0.00'],
    [0.1, '$0.10'],
    [1.15, '$1.15'],
    [-6.01, '−$6.01'],
    [999_999_999.99, '$999,999,999.99'],
    // Sums of many payments.
    [1_000_002_500.99, '$1,000,002,500.99'],
    [90_000_000_000.01, '$90,000,000,000.01'],
    ['1250.50', '$1,250.50'],
  ])('%p is %s', (pesos, shown) => {
    expect(signedPesos(centavosIn(pesos))).toBe(shown);
  });
});
