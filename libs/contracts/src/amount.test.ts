import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { amount, centavos, centavosOf, decimalOf, pesosOf } from './amount.ts';

const MAX = 99_999_999_999n;
const anyCentavos = fc.bigInt({ min: 0n, max: MAX });

describe('pesos in JSON and whole centavos', () => {
  test('are the same amount, there and back, by way of JSON text', () => {
    fc.assert(
      fc.property(anyCentavos, (value) => {
        const wire = JSON.parse(JSON.stringify(pesosOf(value))) as number;
        expect(centavosOf(wire)).toBe(value);
        expect(decimalOf(value)).toMatch(/^\d+\.\d\d$/);
        expect(BigInt(decimalOf(value).replace('.', ''))).toBe(value);
      }),
      { numRuns: 2_000 },
    );
  });

  test('agree on any number: it is an amount where its text has at most two decimals', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 2e9, noNaN: true }), (pesos) => {
        const isAmount = /^\d+(\.\d\d?)?$/.test(String(pesos)) && pesos <= 999_999_999.99;
        expect(centavosOf(pesos) !== undefined).toBe(isAmount);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([0.001, 1.005, 0.1 + 0.2, 1e-7, 1e21, -1, -0.01, 1_000_000_000, Number.NaN, Infinity, 5e-324])(
    '%d is no amount',
    (pesos) => {
      expect(centavosOf(pesos)).toBeUndefined();
    },
  );

  test.each([
    [0n, '0.00'],
    [1n, '0.01'],
    [10n, '0.10'],
    [-5n, '-0.05'],
    [-123_456n, '-1234.56'],
    [MAX, '999999999.99'],
  ])('%d centavos are %s', (value, decimal) => {
    expect(decimalOf(value)).toBe(decimal);
    expect(pesosOf(value)).toBe(Number(decimal));
  });
});

describe('an amount in a request', () => {
  test.each([
    [0.01, 1n],
    [150.25, 15_025n],
    [1, 100n],
    [999_999_999.99, MAX],
  ])('%d is read', (pesos, value) => {
    expect(amount.parse(pesos)).toBe(value);
  });

  test.each([0, -0, 0.001, -5, 1e9, '1', null, undefined, true, [1], {}, 1n])('%p is refused', (value) => {
    expect(amount.safeParse(value).success).toBe(false);
  });
});

describe('an amount in an event', () => {
  test('is a JSON integer of centavos', () => {
    fc.assert(
      fc.property(anyCentavos, (value) => {
        const wire = JSON.parse(JSON.stringify(centavos.encode(value))) as number;
        expect(Number.isInteger(wire)).toBe(true);
        expect(centavos.decode(wire)).toBe(value);
      }),
    );
    for (const bad of [1.5, -1, '1', 1e12, null]) expect(centavos.safeParse(bad).success).toBe(false);
  });
});
