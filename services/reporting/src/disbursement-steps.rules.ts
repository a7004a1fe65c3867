import { decimalOf, inThousands, pesosOf } from '@cobro/contracts/amount.ts';
import type { DisbursementExplained } from '@cobro/contracts/reports.ts';
import type { PaymentRow } from './payment.row.ts';

type Step = DisbursementExplained['steps'][number];
type Share = DisbursementExplained['shares'][number];

const money = (centavos: bigint) => inThousands(decimalOf(centavos));
const percent = (bps: number) => `${decimalOf(BigInt(bps))} %`;

/** The steps from the amount to what the merchant gets, each with its formula. Empty if no money has moved or no fee is known. */
export function disbursementSteps({ amount, disbursement }: Pick<PaymentRow, 'amount' | 'disbursement'>): Step[] {
  if (disbursement === null) return [];
  const { feePercentage, promotionFeeDiscount, promotionBusinessTake } = disbursement;
  const [fee, iva, promotion, take] = [
    BigInt(disbursement.merchantFeeAmount),
    BigInt(disbursement.merchantIvaFeeAmount),
    BigInt(disbursement.promotionTakeAmount),
    BigInt(disbursement.merchantTakeAmount),
  ];
  const rate =
    promotionFeeDiscount === 0
      ? percent(feePercentage)
      : `(${percent(feePercentage)} − ${percent(promotionFeeDiscount)})`;
  const off = [
    { step: 'FEE', amount: fee, formula: `${money(amount)} × ${rate} = ${money(fee)}` },
    { step: 'FEE_IVA', amount: iva, formula: `${money(fee)} × 16.00 % = ${money(iva)}` },
    {
      step: 'PROMOTION',
      amount: promotion,
      formula: `${money(amount)} × ${percent(promotionBusinessTake)} = ${money(promotion)}`,
    },
  ] as const;
  let left = amount;
  const steps = off
    .filter((one) => one.step !== 'PROMOTION' || one.amount > 0n)
    .map((one): Step => {
      left -= one.amount;
      return { step: one.step, amount: pesosOf(-one.amount), left: pesosOf(left), formula: one.formula };
    });
  return [
    { step: 'AMOUNT', amount: pesosOf(amount), left: pesosOf(amount), formula: null },
    ...steps,
    { step: 'TAKE', amount: pesosOf(take), left: pesosOf(take), formula: null },
  ];
}

/** How fee, IVA, promotion and the take are shared with the sponsor. Empty if it has no share. */
export function disbursementShares({ disbursement }: Pick<PaymentRow, 'disbursement'>): Share[] {
  if (disbursement === null) return [];
  const { promotionFeeDiscount, promotionBusinessTake, finalFeePercentageForMerchant } = disbursement;
  if (promotionFeeDiscount === 0 && promotionBusinessTake === 0) return [];
  const line = (share: Share['share'], merchant: bigint, sponsor: bigint, formula: string | null): Share => ({
    share,
    merchant: pesosOf(merchant),
    sponsor: pesosOf(sponsor),
    total: pesosOf(merchant + sponsor),
    formula,
  });
  const { merchantFeeAmount, manufacturerFeeAmount, merchantIvaFeeAmount, manufacturerIvaFeeAmount } = disbursement;
  const promotion = BigInt(disbursement.promotionTakeAmount);
  const rates = `${percent(finalFeePercentageForMerchant)} + ${percent(promotionFeeDiscount)}`;
  return [
    line('FEE', BigInt(merchantFeeAmount), BigInt(manufacturerFeeAmount), rates),
    line('FEE_IVA', BigInt(merchantIvaFeeAmount), BigInt(manufacturerIvaFeeAmount), percent(1600)),
    line('PROMOTION', -promotion, promotion, percent(promotionBusinessTake)),
    line('TAKE', BigInt(disbursement.merchantTakeAmount), BigInt(disbursement.manufacturerTakeAmount), null),
  ];
}
