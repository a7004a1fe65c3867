import type { Rates } from '@cobro/contracts/payment-fields.ts';
import { rankPromotions } from '@cobro/domain/promotions.ts';
import type { PaymentRow } from '../payments/payment.row.ts';
import type { PromotionInForce } from './promotion-in-force.ts';

/** A promotion that a payment may carry, and the rates that are frozen into the payment if it does. */
export interface Promoted {
  promotion: PromotionInForce;
  rates: Rates;
}

type Promotable = Pick<PaymentRow, 'type' | 'terms' | 'card' | 'amount' | 'createdAt' | 'rates'>;

/** The promotions that the payment may carry, the best first; none if it has no fee channel. */
export function promotionsFor(
  { type, terms, card: { network, issuingBank }, amount, createdAt, rates }: Promotable,
  promotions: readonly PromotionInForce[],
  productId: string | null = null,
): Promoted[] {
  if (rates === null || promotions.length === 0) return [];
  const { feeBps, promotionFeeDiscountBps, promotionBusinessTakeBps } = rates;
  const instead = { promotionFeeDiscountBps, promotionBusinessTakeBps };
  const facts = { type, terms, network, issuingBank, productId, amount, createdAt };
  return rankPromotions(promotions, facts, { feeBps, ...instead }).map(({ promotion, rates: promoted }) => {
    const { id, isCapped } = promotion;
    return { promotion, rates: { ...promoted, promotion: { id, isCapped, instead } } };
  });
}

/** The rates of the fee channel itself. */
export const withoutPromotion = ({ promotion, ...rates }: Rates): Rates => ({ ...rates, ...promotion?.instead });
