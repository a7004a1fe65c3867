import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { disburse, type FeeRates } from './fees.ts';
import {
  isEligible,
  type PromotedPayment,
  promotedRates,
  type Promotion,
  promotionStatus,
  rankPromotions,
} from './promotions.ts';

const time = (hour: number) => new Date(Date.UTC(2026, 10, 25, hour));
const promotion: Promotion = {
  id: '00000000-0000-7000-8000-00000000000a',
  feeDiscountBps: 450,
  businessTakeBps: 125,
  terms: [],
  types: [],
  networks: [],
  issuingBanks: [],
  productIds: [],
  minimumAmount: null,
  startsAt: time(10),
  endsAt: time(20),
  acceptedAt: time(8),
  endedAt: null,
};
const channel = (feeBps: number): FeeRates => ({
  feeBps,
  promotionFeeDiscountBps: Math.min(200, feeBps),
  promotionBusinessTakeBps: 300,
});
const payment: PromotedPayment = {
  type: 'CARD_NOT_PRESENT',
  terms: 6,
  network: 'VISA',
  issuingBank: 'BBVA',
  productId: null,
  amount: 479_900n,
  createdAt: time(12),
};

describe('what each gets of a payment of 4799.00', () => {
  test('in six terms at 9.1 %, with a discount of 4.5 and a take of 1.25', () => {
    const d = disburse(479_900n, promotedRates(channel(910), promotion));
    expect(d).toMatchObject({
      finalFeePercentageForMerchant: 460,
      finalFeePercentageForManufacturer: 450,
      merchantFeeAmount: 22_075n,
      manufacturerFeeAmount: 21_596n,
      feeAmount: 43_671n,
      merchantIvaFeeAmount: 3_532n,
      manufacturerIvaFeeAmount: 3_455n,
      totalFeeIva: 6_987n,
      promotionTakeAmount: 5_999n,
      merchantTakeAmount: 448_294n,
      manufacturerTakeAmount: -19_052n,
    });
    expect(d.merchantTakeAmount + d.manufacturerTakeAmount).toBe(429_242n);
    expect(448_294n - 19_052n + 43_671n + 6_987n).toBe(479_900n);
  });

  test('without a promotion: the merchant takes 4292.42', () => {
    const plain = { feeBps: 910, promotionFeeDiscountBps: 0, promotionBusinessTakeBps: 0 };
    expect(disburse(479_900n, plain)).toMatchObject({ merchantTakeAmount: 429_242n, manufacturerTakeAmount: 0n });
  });

  test('in one term at 3.6 %, where the whole fee is the sponsor’s', () => {
    const rates = promotedRates(channel(360), promotion);
    expect(rates).toEqual({ feeBps: 360, promotionFeeDiscountBps: 360, promotionBusinessTakeBps: 125 });
    expect(disburse(479_900n, rates)).toMatchObject({
      merchantFeeAmount: 0n,
      manufacturerFeeAmount: 17_276n,
      merchantIvaFeeAmount: 0n,
      manufacturerIvaFeeAmount: 2_764n,
      merchantTakeAmount: 473_901n,
      manufacturerTakeAmount: -14_041n,
    });
  });
});

describe('the status', () => {
  test.each([
    [9, 'SCHEDULED'],
    [10, 'ACTIVE'],
    [19, 'ACTIVE'],
    [20, 'ENDED'],
  ] as const)('at %d:00 is %s', (hour, status) => expect(promotionStatus(promotion, time(hour))).toBe(status));

  test.each([
    [{ acceptedAt: null }, 12, 'PENDING'],
    [{ acceptedAt: null }, 20, 'ENDED'],
    [{ acceptedAt: null, endedAt: time(11) }, 12, 'ENDED'],
    [{ endedAt: time(9) }, 9, 'ENDED'],
    [{ endedAt: time(13) }, 12, 'ENDED'],
    [{ acceptedAt: time(13) }, 12, 'ACTIVE'],
  ] as const)('of one that is %j at %d:00 is %s', (changes, hour, status) =>
    expect(promotionStatus({ ...promotion, ...changes }, time(hour))).toBe(status),
  );
});

describe('eligible', () => {
  test.each<[Partial<Promotion>, boolean]>([
    [{}, true],
    [{ types: ['CARD_NOT_PRESENT'] }, true],
    [{ types: ['CARD_PRESENT'] }, false],
    [{ terms: [1, 6] }, true],
    [{ terms: [1, 3] }, false],
    [{ networks: ['MASTERCARD', 'VISA'] }, true],
    [{ networks: ['AMEX'] }, false],
    [{ issuingBanks: ['BBVA'] }, true],
    [{ issuingBanks: ['bbva'] }, false],
    [{ productIds: ['x'] }, false],
    [{ minimumAmount: 479_900n }, true],
    [{ minimumAmount: 479_901n }, false],
    [{ acceptedAt: null }, false],
    [{ endsAt: time(12) }, false],
    [{ endedAt: time(12) }, false],
  ])('of a promotion with %j: %s', (changes, eligible) =>
    expect(isEligible({ ...promotion, ...changes }, payment)).toBe(eligible),
  );

  test('for a product is a payment of that product alone', () => {
    const ofProduct = { ...promotion, productIds: ['x', 'y'] };
    expect(isEligible(ofProduct, { ...payment, productId: 'y' })).toBe(true);
    expect(isEligible(ofProduct, { ...payment, productId: 'z' })).toBe(false);
  });
});

const anyPromotion = fc
  .record({
    number: fc.integer({ min: 0, max: 99 }),
    feeDiscountBps: fc.integer({ min: 0, max: 2_000 }),
    businessTakeBps: fc.integer({ min: 0, max: 5_000 }),
    terms: fc.subarray([1, 3, 6]),
    minimumAmount: fc.option(fc.bigInt({ min: 1n, max: 1_000_000n })),
  })
  .map(({ number, ...drawn }) => ({ ...promotion, ...drawn, id: `promotion ${String(number).padStart(2, '0')}` }));
const anyPromotions = fc.uniqueArray(anyPromotion, { selector: ({ id }) => id, maxLength: 12 });
const amounts = fc.bigInt({ min: 1n, max: 99_999_999_999n });
const fees = fc.integer({ min: 0, max: 2_500 });

describe('of several', () => {
  test('the one that leaves the merchant most comes first, then the smallest id, and none that does not fit', () => {
    fc.assert(
      fc.property(anyPromotions, amounts, fees, (promotions, amount, feeBps) => {
        const asked = { ...payment, amount };
        const ranked = rankPromotions(promotions, asked, channel(feeBps));
        expect(ranked).toHaveLength(promotions.filter((one) => isEligible(one, asked)).length);
        const takes = ranked.map(({ rates }) => disburse(amount, rates).merchantTakeAmount);
        for (const [i, { promotion: one }] of ranked.entries()) {
          const next = ranked[i + 1];
          if (next === undefined) continue;
          const [take, less] = [takes[i] ?? 0n, takes[i + 1] ?? 0n];
          expect(take > less || (take === less && one.id < next.promotion.id)).toBe(true);
        }
      }),
    );
  });

  test('whichever it is, all that was paid is somebody’s, and the sponsor bears no more than the fee', () => {
    fc.assert(
      fc.property(anyPromotion, amounts, fees, (one, amount, feeBps) => {
        const rates = promotedRates(channel(feeBps), one);
        const d = disburse(amount, rates);
        expect(d.merchantTakeAmount + d.manufacturerTakeAmount + d.feeAmount + d.totalFeeIva).toBe(amount);
        expect(d.merchantFeeAmount).toBeGreaterThanOrEqual(0n);
        expect(rates.promotionFeeDiscountBps).toBeLessThanOrEqual(feeBps);
        expect(d.feeAmount).toBe(disburse(amount, channel(feeBps)).feeAmount);
      }),
    );
  });
});
