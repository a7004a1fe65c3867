import { pesosOf } from '@cobro/contracts/amount.ts';
import type { DeveloperPayment, DeveloperPaymentItem } from '@cobro/contracts/developer-payments.ts';
import type { BillingFacts, StoredBankTransaction } from '@cobro/contracts/events.ts';
import { type Disbursement, type FeeRates, percentage } from '@cobro/domain/fees.ts';
import { holdDaysRemaining, holdExpired } from '@cobro/domain/hold-window.ts';
import { paidTerms } from '@cobro/domain/installments.ts';

/** A payment that lists show, because the event of its making has come. Amounts are centavos. */
export interface PaymentRow {
  id: string;
  organizationId: string;
  status: DeveloperPayment['status'];
  amount: bigint;
  currency: 'MXN';
  createdAt: Date;
  type: DeveloperPayment['type'];
  source: DeveloperPayment['source'];
  operationCode: bigint;
  externalId: string | null;
  placedAmount: bigint;
  terms: number;
  rates: FeeRates | null;
  lastFourDigits: string;
  network: string;
  fundingSource: string;
  issuingBank: string;
  entryMode: string | null;
  billing: BillingFacts | null;
  paymentMethodId: string | null;
  oneTimePaymentId: string | null;
  paymentIntentId: string | null;
  /** Where and by whom the card was taken. */
  terminalId: string | null;
  salespersonId: string | null;
  branchId: string | null;
  /** The bank transaction of the capture if there is one, otherwise of the charge or hold. */
  transaction: StoredBankTransaction;
  confirmedAt: Date | null;
  heldAt: Date | null;
  holdExpiresAt: Date | null;
  capturedAt: Date | null;
  releasedAt: Date | null;
  expiredAt: Date | null;
  refundedAt: Date | null;
  disbursement: StoredDisbursement | null;
}

/** Centavos and basis points. */
export type StoredDisbursement = Record<keyof Disbursement, number>;

/** The disbursement as its jsonb column keeps it. */
export const inNumbers = (disbursement: Disbursement): StoredDisbursement =>
  Object.fromEntries(Object.entries(disbursement).map(([part, value]) => [part, Number(value)])) as StoredDisbursement;

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

/** The fields that the detail and the list item share. Payment links and subscriptions do not exist yet. */
function common(row: PaymentRow) {
  return {
    id: row.id,
    status: row.status,
    amount: pesosOf(row.amount),
    currency: row.currency,
    createdAt: row.createdAt.toISOString(),
    type: row.type,
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
    paymentIntentId: row.paymentIntentId,
    oneTimePaymentId: row.oneTimePaymentId,
    paymentMethodId: row.paymentMethodId,
    subscriptionId: null,
  };
}

export function developerPaymentItem(row: PaymentRow): DeveloperPaymentItem {
  return { ...common(row), externalId: row.externalId };
}

export function developerPayment(row: PaymentRow, now: Date): DeveloperPayment {
  const { heldAt, holdExpiresAt, rates, terms, billing } = row;
  return {
    ...common(row),
    fee: rates && percentage(rates.feeBps - rates.promotionFeeDiscountBps),
    terms,
    paidTerms: paidTerms({ movedAt: row.confirmedAt ?? row.capturedAt, terms, now }),
    periodicity: periodicity(terms),
    financingMethod: financingMethod(terms),
    source: row.source,
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
