import type { FeeRates } from '@cobro/domain/fees.ts';
import type { StoredRates } from './payment.store.ts';

export function frozenRates(stored: StoredRates): FeeRates {
  return {
    feeBps: BigInt(stored.feeBps),
    promotionFeeDiscountBps: BigInt(stored.promotionFeeDiscountBps),
    promotionBusinessTakeBps: BigInt(stored.promotionBusinessTakeBps),
  };
}
