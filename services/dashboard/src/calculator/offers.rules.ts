import { chooseFeeChannel, disburse, type FeeChannel } from '@cobro/domain/fees.ts';
import { installmentTerms } from '@cobro/contracts/one-time-payments.ts';
import type { CardKind, Offer } from '@cobro/dashboard/calculator/calculator-page.ts';

/** A row of the API's fee table: rates in percent. */
export interface FeeRow extends FeeChannel {
  feePercentage: number;
  promotionFeeDiscount: number;
  promotionBusinessTake: number;
}

const MOST_TERMS = 18;

/** Who gets what of `amount` centavos, for each number of terms that may be sold or has a fee. */
export function offersOf(fees: readonly FeeRow[], amount: bigint, card: CardKind): Offer[] {
  const agreed = fees.filter(({ type }) => type === card.type).map(({ terms }) => terms);
  const all = [...new Set([...installmentTerms, ...agreed])].filter((terms) => terms <= MOST_TERMS);
  // Only credit cards have installments.
  const offered = card.fundingSource === 'CREDIT' ? all : [1];
  return offered.toSorted((a, b) => a - b).map((terms) => offerOf(fees, amount, { ...card, terms }));
}

function offerOf(fees: readonly FeeRow[], amount: bigint, payment: CardKind & { terms: number }): Offer {
  const { terms } = payment;
  const mayBeLink = payment.type === 'CARD_NOT_PRESENT' && installmentTerms.some((one) => one === terms);
  const monthly = (amount + BigInt(terms) / 2n) / BigInt(terms);
  const fee = chooseFeeChannel(fees, payment);
  if (fee === undefined) return { terms, monthly, mayBeLink: false, disbursed: null };
  const disbursed = disburse(amount, {
    feeBps: basisPoints(fee.feePercentage),
    promotionFeeDiscountBps: basisPoints(fee.promotionFeeDiscount),
    promotionBusinessTakeBps: basisPoints(fee.promotionBusinessTake),
  });
  return { terms, monthly, mayBeLink, disbursed };
}

/** A percent of the API has two decimals at most. */
const basisPoints = (percent: number) => Math.round(percent * 100);
