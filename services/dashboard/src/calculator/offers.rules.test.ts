import { describe, expect, test } from '@jest/globals';
import { type FeeRow, offersOf } from './offers.rules.ts';

const fee = (terms: number, feePercentage: number, over: Partial<FeeRow> = {}): FeeRow => ({
  type: 'CARD_NOT_PRESENT',
  network: null,
  fundingSource: null,
  terms,
  feePercentage,
  promotionFeeDiscount: 0,
  promotionBusinessTake: 0,
  ...over,
});
const visa = { type: 'CARD_NOT_PRESENT', network: 'VISA', fundingSource: 'CREDIT' } as const;

describe('what a payment brings at each number of terms', () => {
  test('goes by the most specific fee, as a charge does', () => {
    const [single] = offersOf([fee(1, 3.5), fee(1, 2.9, { network: 'VISA' })], 100_000n, visa);
    // 1,000.00 less 2.9 % of it, and 16 % of those 29.00.
    expect(single).toMatchObject({ terms: 1, monthly: 100_000n, disbursed: { merchantTakeAmount: 96_636n } });
  });

  test('has what may be sold and what has a fee, up to 18 terms; without a fee nothing is promised', () => {
    const offers = offersOf([fee(1, 3.5), fee(18, 12), fee(24, 15)], 100_000n, visa);
    expect(offers.map(({ terms, disbursed, mayBeLink }) => [terms, disbursed !== null, mayBeLink])).toEqual([
      [1, true, true],
      [3, false, false],
      [6, false, false],
      [9, false, false],
      [12, false, false],
      [18, true, false],
    ]);
  });

  test('has a single payment only for cards that are not of credit', () => {
    const fees = [fee(1, 3.5), fee(3, 5)];
    expect(offersOf(fees, 100n, { ...visa, fundingSource: 'DEBIT' }).map(({ terms }) => terms)).toEqual([1]);
  });

  test('rounds a month to the centavo', () => {
    expect(offersOf([fee(3, 5)], 10_000n, visa).map(({ monthly }) => monthly)).toEqual([
      10_000n,
      3_333n,
      1_667n,
      1_111n,
      833n,
    ]);
  });
});
