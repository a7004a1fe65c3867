import { pesosOf } from '@cobro/contracts/amount.ts';
import type { DeveloperPayment, DeveloperPaymentItem } from '@cobro/contracts/developer-payments.ts';
import { shownIn } from '@cobro/contracts/payment-fields.ts';
import { developerPayment as shownToMerchant } from '@cobro/domain/developer-payment.ts';
import type { Disbursement } from '@cobro/domain/fees.ts';
import type { PaymentRow, StoredDisbursement } from './payment.row.ts';

/** The disbursement as its jsonb column keeps it. */
export const inNumbers = (disbursement: Disbursement): StoredDisbursement =>
  Object.fromEntries(Object.entries(disbursement).map(([part, value]) => [part, Number(value)])) as StoredDisbursement;

export function developerPaymentItem(row: PaymentRow): DeveloperPaymentItem {
  return {
    id: row.id,
    status: row.status,
    amount: pesosOf(row.amount),
    createdAt: row.createdAt.toISOString(),
    operationCode: Number(row.operationCode),
    heldAmount: row.heldAt === null ? null : pesosOf(row.placedAmount),
    holdExpiresAt: row.holdExpiresAt?.toISOString() ?? null,
    card: {
      lastFourDigits: row.lastFourDigits,
      network: row.network,
      fundingSource: row.fundingSource,
      issuingBank: row.issuingBank,
    },
    ...shownIn('list', row),
  };
}

export function developerPayment(row: PaymentRow, now: Date): DeveloperPayment {
  const { heldAt, capturedAt, expiredAt, releasedAt, lastFourDigits, network, fundingSource, issuingBank } = row;
  const facts = {
    ...row,
    card: { lastFourDigits, network, fundingSource, issuingBank },
    heldAmount: heldAt === null ? null : row.placedAmount,
    holdReleasedAt: capturedAt === null ? (expiredAt ?? releasedAt) : null,
  };
  return shownToMerchant(facts, now);
}
