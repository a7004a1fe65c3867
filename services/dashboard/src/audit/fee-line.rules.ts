import type { FeeChange } from '@cobro/contracts/fee-channels.ts';

/**
 * Such as `CARD_PRESENT VISA any 3: 3.5/0/0 > 2.9/0/0`: the fee, the discount and the take in percent. If a change is only asked for, the
 * rates before it are not known, and the line has only the wanted ones.
 */
export function feeLine(change: FeeChange, isAsked: boolean): string {
  const { type, network, fundingSource, terms, before, after } = change;
  const rates = isAsked ? ratesLine(after) : `${ratesLine(before)} > ${ratesLine(after)}`;
  return `${type} ${network ?? 'any'} ${fundingSource ?? 'any'} ${terms}: ${rates}`;
}

const ratesLine = (rates: FeeChange['before']) =>
  rates === null ? '-' : [rates.feePercentage, rates.promotionFeeDiscount, rates.promotionBusinessTake].join('/');
