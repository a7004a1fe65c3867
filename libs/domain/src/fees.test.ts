import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { chooseFeeChannel, disburse, noDisbursement, percentage } from './fees.ts';

const plain = { feeBps: 350, promotionFeeDiscountBps: 0, promotionBusinessTakeBps: 0 };
const promoted = { feeBps: 350, promotionFeeDiscountBps: 100, promotionBusinessTakeBps: 200 };

const amounts = fc.bigInt({ min: 0n, max: 99_999_999_999n });
const anyRates = fc.integer({ min: 0, max: 10_000 }).chain((feeBps) =>
  fc.record({
    feeBps: fc.constant(feeBps),
    promotionFeeDiscountBps: fc.integer({ min: 0, max: feeBps }),
    promotionBusinessTakeBps: fc.integer({ min: 0, max: 10_000 }),
  }),
);

/** Whether `part` is `whole` times `bps`, to the nearest centavo and up from a half: 0 <= part - exact + 1/2 < 1. */
function isHalfUp(part: bigint, whole: bigint, bps: number): boolean {
  const twiceTooMuch = 2n * (part * 10_000n - whole * BigInt(bps));
  return twiceTooMuch > -10_000n && twiceTooMuch <= 10_000n;
}

describe('a disbursement', () => {
  test('of 1000.00 at 3.5 % with a promotion', () => {
    expect(disburse(100_000n, promoted)).toEqual({
      feePercentage: 350,
      promotionFeeDiscount: 100,
      finalFeePercentageForMerchant: 250,
      finalFeePercentageForManufacturer: 100,
      promotionBusinessTake: 200,
      feeAmount: 3_500n,
      merchantFeeAmount: 2_500n,
      manufacturerFeeAmount: 1_000n,
      merchantIvaFeeAmount: 400n,
      manufacturerIvaFeeAmount: 160n,
      totalFeeIva: 560n,
      promotionTakeAmount: 2_000n,
      merchantTakeAmount: 95_100n,
      manufacturerTakeAmount: 840n,
    });
  });

  test('without a promotion leaves the manufacturer nothing to pay or take', () => {
    expect(disburse(100_000n, plain)).toMatchObject({
      merchantFeeAmount: 3_500n,
      manufacturerFeeAmount: 0n,
      merchantIvaFeeAmount: 560n,
      manufacturerIvaFeeAmount: 0n,
      promotionTakeAmount: 0n,
      merchantTakeAmount: 95_940n,
      manufacturerTakeAmount: 0n,
    });
  });

  test('of a discount without a take is a loss of the manufacturer', () => {
    expect(disburse(100_000n, { ...promoted, promotionBusinessTakeBps: 0 }).manufacturerTakeAmount).toBe(-1_160n);
  });

  test.each([
    [14n, 0n],
    [15n, 1n],
    [42n, 1n],
    [43n, 2n],
  ])('rounds the fee of %d centavos half-up to %d', (amount, fee) => {
    expect(disburse(amount, plain).feeAmount).toBe(fee);
  });

  test('rounds an exact half up, and a hair less than a half down', () => {
    expect(disburse(5_000n, { ...plain, feeBps: 1 }).feeAmount).toBe(1n);
    expect(disburse(4_999n, { ...plain, feeBps: 1 }).feeAmount).toBe(0n);
    const rates = { feeBps: 5_000, promotionFeeDiscountBps: 0, promotionBusinessTakeBps: 2_500 };
    expect(disburse(2n, rates)).toMatchObject({ feeAmount: 1n, promotionTakeAmount: 1n });
    expect(disburse(1n, rates)).toMatchObject({ feeAmount: 1n, promotionTakeAmount: 0n });
  });

  test('gives away exactly the amount', () => {
    fc.assert(
      fc.property(amounts, anyRates, (amount, rates) => {
        const d = disburse(amount, rates);
        expect(d.merchantTakeAmount + d.manufacturerTakeAmount + d.feeAmount + d.totalFeeIva).toBe(amount);
        expect(d.merchantFeeAmount + d.manufacturerFeeAmount).toBe(d.feeAmount);
        expect(d.merchantIvaFeeAmount + d.manufacturerIvaFeeAmount).toBe(d.totalFeeIva);
        expect(d.finalFeePercentageForMerchant + d.finalFeePercentageForManufacturer).toBe(d.feePercentage);
      }),
    );
  });

  test('rounds each fee, IVA and take to the nearest centavo, and none is negative', () => {
    fc.assert(
      fc.property(amounts, anyRates, (amount, rates) => {
        const d = disburse(amount, rates);
        expect(isHalfUp(d.feeAmount, amount, rates.feeBps)).toBe(true);
        expect(isHalfUp(d.merchantFeeAmount, amount, d.finalFeePercentageForMerchant)).toBe(true);
        expect(isHalfUp(d.merchantIvaFeeAmount, d.merchantFeeAmount, 1_600)).toBe(true);
        expect(isHalfUp(d.manufacturerIvaFeeAmount, d.manufacturerFeeAmount, 1_600)).toBe(true);
        expect(isHalfUp(d.promotionTakeAmount, amount, rates.promotionBusinessTakeBps)).toBe(true);
        expect(d.manufacturerFeeAmount).toBeGreaterThanOrEqual(0n);
      }),
    );
  });

  test('of a payment of which no money moved is zeros with the percentages', () => {
    expect(noDisbursement(promoted)).toEqual({
      feePercentage: 350,
      promotionFeeDiscount: 100,
      finalFeePercentageForMerchant: 250,
      finalFeePercentageForManufacturer: 100,
      promotionBusinessTake: 200,
      feeAmount: 0n,
      merchantFeeAmount: 0n,
      manufacturerFeeAmount: 0n,
      merchantIvaFeeAmount: 0n,
      manufacturerIvaFeeAmount: 0n,
      totalFeeIva: 0n,
      promotionTakeAmount: 0n,
      merchantTakeAmount: 0n,
      manufacturerTakeAmount: 0n,
    });
  });
});

test('a percentage prints as the decimal that it is', () => {
  expect([0, 1, 29, 350, 357, 1_600, 10_000].map(percentage)).toEqual([0, 0.01, 0.29, 3.5, 3.57, 16, 100]);
  for (let bps = 0; bps <= 10_000; bps++) {
    expect(percentage(bps).toFixed(2)).toBe(`${Math.floor(bps / 100)}.${String(bps % 100).padStart(2, '0')}`);
    expect(JSON.stringify(percentage(bps)).length).toBeLessThanOrEqual(5);
  }
});

describe('the fee channel', () => {
  const base = { type: 'CARD_NOT_PRESENT', network: null, fundingSource: null, terms: 1 };
  const any = { ...base, id: 'any' };
  const debit = { ...base, id: 'debit', fundingSource: 'DEBIT' };
  const visa = { ...base, id: 'visa', network: 'VISA' };
  const visaDebit = { ...base, id: 'visa debit', network: 'VISA', fundingSource: 'DEBIT' };
  const payment = { type: 'CARD_NOT_PRESENT', network: 'VISA', fundingSource: 'DEBIT', terms: 1 };
  const ranked = [visaDebit, visa, debit, any];

  test('is the most specific one that matches, in whatever order they come', () => {
    for (const start of ranked.keys()) {
      fc.assert(
        fc.property(fc.shuffledSubarray(ranked.slice(start), { minLength: ranked.length - start }), (channels) => {
          expect(chooseFeeChannel(channels, payment)).toBe(ranked[start]);
        }),
        { numRuns: 30 },
      );
    }
  });

  test.each([
    ['network', { network: 'AMEX' }, debit],
    ['funding source', { fundingSource: 'CREDIT' }, visa],
    ['network and funding source', { network: 'AMEX', fundingSource: 'CREDIT' }, any],
    ['type', { type: 'CARD_PRESENT' }, undefined],
    ['number of terms', { terms: 3 }, undefined],
  ])('is not one of another %s', (_what, difference, channel) => {
    expect(chooseFeeChannel(ranked, { ...payment, ...difference })).toBe(channel);
  });

  test('is undefined without channels', () => {
    expect(chooseFeeChannel([], payment)).toBeUndefined();
  });
});
