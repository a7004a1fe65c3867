import type { PaymentRecord } from '@cobro/contracts/payment-timeline.ts';
import { showPayment } from './payment.rules.ts';
import type { PaymentRow } from './payment.row.ts';

/** A payment of any origin as its merchant sees it now, with card, payer and origin. */
export function showRecord(row: PaymentRow, now: Date): PaymentRecord {
  const { lastFourDigits, network, fundingSource, issuingBank } = row.card;
  return {
    ...showPayment(row, now),
    type: row.type,
    source: row.source,
    description: row.description,
    operationCode: Number(row.operationCode),
    terms: row.terms,
    declineCode: row.declineCode,
    refundedAt: row.refundedAt?.toISOString() ?? null,
    card: { lastFourDigits, network, fundingSource, issuingBank },
    customer: {
      firstName: row.billing?.firstName ?? null,
      lastName: row.billing?.lastName ?? null,
      email: row.billing?.email ?? null,
      phoneNumber: row.billing?.phoneNumber ?? null,
    },
    paymentMethodId: row.paymentMethodId,
    oneTimePaymentId: row.oneTimePaymentId,
    paymentLinkId: row.paymentLinkId,
    subscriptionId: row.subscriptionId,
    paymentIntentId: row.paymentIntentId,
    terminalId: row.terminalId,
    salespersonId: row.salespersonId,
    branchId: row.branchId,
    promotionId: row.rates?.promotion?.id ?? null,
  };
}
