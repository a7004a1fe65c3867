import { pesosOf } from '@cobro/contracts/amount.ts';
import type { DeveloperPayment, DeveloperPaymentItem } from '@cobro/contracts/developer-payments.ts';
import { shownIn } from '@cobro/contracts/payment-fields.ts';
import { type Disbursement, percentage } from '@cobro/domain/fees.ts';
import { holdDaysRemaining, holdExpired } from '@cobro/domain/hold-window.ts';
import { paidTerms } from '@cobro/domain/installments.ts';
import type { PaymentRow, StoredDisbursement } from './payment.row.ts';

/** The disbursement as its jsonb column keeps it. */
export const inNumbers = (disbursement: Disbursement): StoredDisbursement =>
  Object.fromEntries(Object.entries(disbursement).map(([part, value]) => [part, Number(value)])) as StoredDisbursement;

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

/** What the detail and the list item share and show in another form than it is kept. Payment links and subscriptions do not exist yet. */
function common(row: PaymentRow) {
  return {
    id: row.id,
    status: row.status,
    amount: pesosOf(row.amount),
    createdAt: row.createdAt.toISOString(),
    operationCode: Number(row.operationCode),
    heldAmount: row.heldAt === null ? null : pesosOf(row.placedAmount),
    holdExpiresAt: iso(row.holdExpiresAt),
    card: {
      lastFourDigits: row.lastFourDigits,
      network: row.network,
      fundingSource: row.fundingSource,
      issuingBank: row.issuingBank,
    },
    paymentLinkId: null,
    subscriptionId: null,
  };
}

export function developerPaymentItem(row: PaymentRow): DeveloperPaymentItem {
  return { ...common(row), ...shownIn('list', row) };
}

export function developerPayment(row: PaymentRow, now: Date): DeveloperPayment {
  const { heldAt, holdExpiresAt, rates, terms, installments, billing } = row;
  return {
    ...common(row),
    ...shownIn('detail', row),
    fee: rates && percentage(rates.feeBps - rates.promotionFeeDiscountBps),
    paidTerms: paidTerms({ movedAt: row.confirmedAt ?? row.capturedAt, terms, installments, now }),
    periodicity: periodicity(terms),
    financingMethod: financingMethod(terms),
    refundedAt: iso(row.refundedAt),
    heldAt: iso(heldAt),
    capturedAt: iso(row.capturedAt),
    holdReleasedAt: row.capturedAt === null ? iso(row.expiredAt ?? row.releasedAt) : null,
    holdExpired: holdExpiresAt !== null && holdExpired(holdExpiresAt, now),
    holdDaysRemaining:
      row.status === 'HELD' && heldAt !== null && holdExpiresAt !== null
        ? holdDaysRemaining(holdExpiresAt, heldAt, now)
        : null,
    customer: {
      firstName: billing?.firstName ?? null,
      lastName: billing?.lastName ?? null,
      email: billing?.email ?? null,
      phoneNumber: billing?.phoneNumber ?? null,
    },
  };
}

export const financingMethod = (terms: number) => (terms > 1 ? 'INSTALLMENTS' : 'PAY_NOW');
export const periodicity = (terms: number) => (terms > 1 ? 'MONTHLY' : null);
