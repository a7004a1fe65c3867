const ivaBps = 1600;

/** Rates in basis points (350 is 3.5 %), as frozen into a payment. */
export type FeeRates = { feeBps: number; promotionFeeDiscountBps: number; promotionBusinessTakeBps: number };

/** Who gets what part of an amount. Percentages are basis points, amounts are centavos. */
export type Disbursement = {
  feePercentage: number;
  promotionFeeDiscount: number;
  finalFeePercentageForMerchant: number;
  finalFeePercentageForManufacturer: number;
  promotionBusinessTake: number;
  feeAmount: bigint;
  merchantFeeAmount: bigint;
  manufacturerFeeAmount: bigint;
  merchantIvaFeeAmount: bigint;
  manufacturerIvaFeeAmount: bigint;
  totalFeeIva: bigint;
  promotionTakeAmount: bigint;
  merchantTakeAmount: bigint;
  /** What the promotion's sponsor gets. Negative if the sponsor's fee and IVA exceed its take. */
  manufacturerTakeAmount: bigint;
};

/** A row of an organization's fee table; null means any. */
export type FeeChannel = { type: string; network: string | null; fundingSource: string | null; terms: number };

/** `bps` basis points of a non-negative amount of centavos, rounded half up to the centavo. */
function share(amount: bigint, bps: number): bigint {
  return (amount * BigInt(bps) + 5_000n) / 10_000n;
}

/**
 * The disbursement of an amount that moved (centavos, not negative).
 * Rates: 0 <= promotionFeeDiscountBps <= feeBps, 0 <= promotionBusinessTakeBps.
 * Always: amount = merchantTakeAmount + manufacturerTakeAmount + feeAmount + totalFeeIva.
 */
export function disburse(amount: bigint, rates: FeeRates): Disbursement {
  const finalFeePercentageForMerchant = rates.feeBps - rates.promotionFeeDiscountBps;
  const feeAmount = share(amount, rates.feeBps);
  const merchantFeeAmount = share(amount, finalFeePercentageForMerchant);
  const manufacturerFeeAmount = feeAmount - merchantFeeAmount;
  const merchantIvaFeeAmount = share(merchantFeeAmount, ivaBps);
  const manufacturerIvaFeeAmount = share(manufacturerFeeAmount, ivaBps);
  const promotionTakeAmount = share(amount, rates.promotionBusinessTakeBps);
  return {
    feePercentage: rates.feeBps,
    promotionFeeDiscount: rates.promotionFeeDiscountBps,
    finalFeePercentageForMerchant,
    finalFeePercentageForManufacturer: rates.promotionFeeDiscountBps,
    promotionBusinessTake: rates.promotionBusinessTakeBps,
    feeAmount,
    merchantFeeAmount,
    manufacturerFeeAmount,
    merchantIvaFeeAmount,
    manufacturerIvaFeeAmount,
    totalFeeIva: merchantIvaFeeAmount + manufacturerIvaFeeAmount,
    promotionTakeAmount,
    merchantTakeAmount: amount - merchantFeeAmount - merchantIvaFeeAmount - promotionTakeAmount,
    manufacturerTakeAmount: promotionTakeAmount - manufacturerFeeAmount - manufacturerIvaFeeAmount,
  };
}

/** The disbursement of a payment that moved no money: the percentages, with amounts of zero. */
export function noDisbursement(rates: FeeRates): Disbursement {
  return disburse(0n, rates);
}

/** Basis points as a JSON number of percent: 350 gives 3.5, exact to the printed digit. */
export function percentage(bps: number): number {
  return bps / 100;
}

/**
 * The most specific channel for a payment. A channel that names the network beats one that names the funding source, and one that
 * names both beats either. Returns undefined if no channel matches.
 */
export function chooseFeeChannel<Channel extends FeeChannel>(
  channels: readonly Channel[],
  payment: { type: string; network: string; fundingSource: string; terms: number },
): Channel | undefined {
  const matching = channels.filter(
    (channel) =>
      channel.type === payment.type &&
      channel.terms === payment.terms &&
      (channel.network === null || channel.network === payment.network) &&
      (channel.fundingSource === null || channel.fundingSource === payment.fundingSource),
  );
  return matching.toSorted((a, b) => specificity(b) - specificity(a))[0];
}

function specificity(channel: FeeChannel): number {
  return (channel.network === null ? 0 : 2) + (channel.fundingSource === null ? 0 : 1);
}
