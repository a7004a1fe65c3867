import { describe, expect, test } from '@jest/globals';
import { longRangesWith, rangesOfCodes } from './operation-code.rules.ts';

describe('long ranges of codes with some digits', () => {
  test.each([
    ['123', 2_000_000],
    ['007', 2_000_000],
    ['111', 1_500_000],
    ['900', 950_000],
  ])(
    '%s up to %s: each code has the digits, none is told twice, and short of all only those with more before them',
    (digits, largest) => {
      const told = longRangesWith(digits, largest).flatMap(({ from, to }) =>
        Array.from({ length: to - from + 1 }, (_, i) => from + i),
      );
      const near = (code: number) => {
        const at = String(code).indexOf(digits);
        return at >= 0 && Number(String(code).slice(0, at) || 0) <= 20 && String(code).length - at - 3 >= 2;
      };
      const all = Array.from({ length: largest }, (_, i) => i + 1).filter(near);
      expect(new Set(told).size).toBe(told.length);
      expect(told.filter((code) => !String(code).includes(digits))).toEqual([]);
      const known = new Set(told);
      expect(all.filter((code) => !known.has(code))).toEqual([]);
    },
  );

  test('are a few hundred at the most', () => {
    expect(longRangesWith('123', 2 ** 31 - 1).length).toBeLessThan(150);
  });
});

describe('all codes that are searched for', () => {
  const codesIn = (codeParts: string[], wholeCodes: bigint[], largest: number) =>
    rangesOfCodes({ codeParts, wholeCodes }, largest, 1e6)?.flatMap(({ from, to }) =>
      Array.from({ length: to - from + 1 }, (_, i) => from + i),
    );

  test.each([
    [['123'], []],
    [['007'], []],
    [['000'], []],
    [['111', '1111'], []],
    [
      ['1234', '345'],
      [12n, 7n],
    ],
    [['123456', '1234567'], []],
    [[], [99n]],
  ])('%j and %j are told once each', (parts, whole) => {
    const largest = 234_567;
    const all = Array.from({ length: largest + 1 }, (_, code) => code).filter(
      (code) => whole.includes(BigInt(code)) || parts.some((part) => String(code).includes(part)),
    );
    const told = codesIn(parts, whole, largest) ?? [];
    expect(told.filter((code) => code <= largest)).toEqual(all);
  });

  test('are not told where they are too many', () => {
    const told = (largest: number, most: number) =>
      rangesOfCodes({ codeParts: ['12345'], wholeCodes: [1n] }, largest, most)?.length;
    // 1, and 12345 with at most two digits before it, or one, or none, and as many behind it as there is room for.
    expect(told(9_999_999, 1 + 100 + 10 * 10 + 100)).toBe(1 + 100 + 10 + 1);
    expect(told(9_999_999, 100 + 10 * 10 + 100)).toBeUndefined();
    expect(told(1e9, 2_000)).toBeUndefined();
  });

  test('are none where the digits are more than any code has', () => {
    expect(rangesOfCodes({ codeParts: ['12345678901234567890'], wholeCodes: [] }, 1e7, 1)).toEqual([]);
  });
});
