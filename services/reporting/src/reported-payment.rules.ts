import { pesosOf } from '@cobro/contracts/amount.ts';
import type { ReportedPayment } from '@cobro/contracts/reports.ts';
import type { PaymentRow } from './payment.row.ts';
import { developerPaymentItem } from './payment.rules.ts';

const pesosOrNull = (centavos: number | undefined) => (centavos === undefined ? null : pesosOf(BigInt(centavos)));

export function reportedPayment(row: PaymentRow): ReportedPayment {
  const { billing, disbursement } = row;
  return {
    ...developerPaymentItem(row),
    source: row.source,
    terms: row.terms,
    declineCode: row.declineCode,
    refundedAt: row.refundedAt?.toISOString() ?? null,
    customer: {
      firstName: billing?.firstName ?? null,
      lastName: billing?.lastName ?? null,
      email: billing?.email ?? null,
      phoneNumber: billing?.phoneNumber ?? null,
    },
    fee: pesosOrNull(disbursement?.merchantFeeAmount),
    feeIva: pesosOrNull(disbursement?.merchantIvaFeeAmount),
    promotionTake: pesosOrNull(disbursement?.promotionTakeAmount),
    take: pesosOrNull(disbursement?.merchantTakeAmount),
    terminalId: row.terminalId,
    salespersonId: row.salespersonId,
    branchId: row.branchId,
  };
}
