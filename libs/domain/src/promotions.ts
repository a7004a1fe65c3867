import { disburse, type FeeRates } from './fees.ts';

/** Which payments a promotion covers, and when. An empty list means any. Amounts are centavos, rates basis points. */
export interface Promotion {
  id: string;
  feeDiscountBps: number;
  businessTakeBps: number;
  terms: readonly number[];
  types: readonly string[];
  networks: readonly string[];
  issuingBanks: readonly string[];
  productIds: readonly string[];
  minimumAmount: bigint | null;
  startsAt: Date;
  endsAt: Date;
  /** When the sponsor agreed, or when it was created if it costs the sponsor nothing. Null until then. */
  acceptedAt: Date | null;
  /** When somebody ended it for good. */
  endedAt: Date | null;
}

export type PromotionStatus = 'PENDING' | 'SCHEDULED' | 'ACTIVE' | 'ENDED';

/** The status at that time. A clock that goes back never undoes an acceptance or an end. */
export function promotionStatus(
  { startsAt, endsAt, acceptedAt, endedAt }: Pick<Promotion, 'startsAt' | 'endsAt' | 'acceptedAt' | 'endedAt'>,
  now: Date,
): PromotionStatus {
  if (now >= endsAt || endedAt !== null) return 'ENDED';
  if (acceptedAt === null) return 'PENDING';
  return now < startsAt ? 'SCHEDULED' : 'ACTIVE';
}

/** The facts of a payment that a promotion looks at. `amount` is what is asked for, or held. */
export interface PromotedPayment {
  type: string;
  terms: number;
  network: string;
  issuingBank: string;
  /** Null if it is for no product. */
  productId: string | null;
  amount: bigint;
  createdAt: Date;
}

export function isEligible(promotion: Promotion, payment: PromotedPayment): boolean {
  const { terms, types, networks, issuingBanks, productIds, minimumAmount } = promotion;
  return (
    promotionStatus(promotion, payment.createdAt) === 'ACTIVE' &&
    allows(types, payment.type) &&
    allows(terms, payment.terms) &&
    allows(networks, payment.network) &&
    allows(issuingBanks, payment.issuingBank) &&
    allows(productIds, payment.productId) &&
    payment.amount >= (minimumAmount ?? 0n)
  );
}

const allows = <T>(list: readonly T[], value: T | null) =>
  list.length === 0 || (value !== null && list.includes(value));

/** The channel's rates with the promotion's discount and take in place of its own. Nobody bears more than the whole fee. */
export const promotedRates = (
  { feeBps }: Pick<FeeRates, 'feeBps'>,
  { feeDiscountBps, businessTakeBps }: Pick<Promotion, 'feeDiscountBps' | 'businessTakeBps'>,
): FeeRates => ({
  feeBps,
  promotionFeeDiscountBps: Math.min(feeDiscountBps, feeBps),
  promotionBusinessTakeBps: businessTakeBps,
});

/**
 * The promotions that fit the payment, the best first: the one that leaves the merchant most, and of equal ones the one with the
 * smallest id. `channel` are the rates of the payment's fee channel.
 */
export function rankPromotions<P extends Promotion>(
  promotions: readonly P[],
  payment: PromotedPayment,
  channel: FeeRates,
): { promotion: P; rates: FeeRates }[] {
  return promotions
    .filter((promotion) => isEligible(promotion, payment))
    .map((promotion) => {
      const rates = promotedRates(channel, promotion);
      return { promotion, rates, take: disburse(payment.amount, rates).merchantTakeAmount };
    })
    .toSorted((a, b) => descending(a.take, b.take) || (a.promotion.id < b.promotion.id ? -1 : 1))
    .map(({ promotion, rates }) => ({ promotion, rates }));
}

const descending = (a: bigint, b: bigint) => (a === b ? 0 : a > b ? -1 : 1);
