import { decimalOf, pesosOf } from '@cobro/contracts/amount.ts';
import type { PartnerPayment, PartnerPaymentStatus, PaymentDisbursement } from '@cobro/contracts/partner-payments.ts';
import { shownIn } from '@cobro/contracts/payment-fields.ts';
import { financingMethod, periodicity } from '@cobro/domain/developer-payment.ts';
import { type FeeRates, noDisbursement, percentage } from '@cobro/domain/fees.ts';
import type { PaymentRow, StoredDisbursement } from './payment.row.ts';

export type PartnerPaymentRow = PaymentRow & { organizationName: string };

/** Terminals, salespeople and branches by their ids, as they are now; undefined for one whose event has not come yet. */
export interface TakenAt {
  terminal(id: string | null): { serialNumber: string } | undefined;
  salesperson(id: string | null): { name: string; username: string } | undefined;
  branch(id: string | null): { name: string } | undefined;
}

/** Where a payment was taken and who sold, under the names at that time. A payment of release 0.1 has no names and shows today's. */
function takenBy(row: PartnerPaymentRow, takenAt: TakenAt) {
  const { salespersonId, branchId } = row;
  const terminal = takenAt.terminal(row.terminalId);
  const known = takenAt.salesperson(salespersonId);
  const name = row.salespersonName ?? known?.name;
  const username = row.salespersonUsername ?? known?.username;
  const isSold = salespersonId !== null && name !== undefined && username !== undefined;
  const branchName = row.branchName ?? takenAt.branch(branchId)?.name;
  return {
    terminal: terminal === undefined ? null : { serialNumber: terminal.serialNumber },
    salesperson: isSold ? { id: salespersonId, name, username } : null,
    businessStoreBranch: branchId === null || branchName === undefined ? null : { id: branchId, name: branchName },
  };
}

type Status = PaymentRow['status'];

const partnerStatuses: Record<Status, PartnerPaymentStatus> = {
  CONFIRMED: 'CONFIRMED',
  CANCELLED: 'CANCELLED',
  REFUNDED: 'REFUNDED',
  HELD: 'PENDING',
  HOLD_RELEASED: 'CANCELLED',
  HOLD_EXPIRED: 'CANCELLED',
};

/** Our statuses that a partner is shown as one of these. */
export function statusesShownAs(shown: readonly PartnerPaymentStatus[]): Status[] {
  return (Object.keys(partnerStatuses) as Status[]).filter((status) => shown.includes(partnerStatuses[status]));
}

/** What is searched for. Fewer than four digits mean a whole code, four or more a part of one. */
export interface Search {
  codeParts: string[];
  wholeCodes: bigint[];
  named: NamedOrAmount | undefined;
}

export interface NamedOrAmount {
  /** The organizations whose name contains the text; case does not matter. */
  organizations: string[];
  /** Centavos, if the text is an amount. */
  amount: bigint | undefined;
}

export function searchOf(
  operationCodes: readonly string[],
  text: string | undefined,
  organizations: readonly { id: string; name: string }[],
): Search {
  const isPart = (code: string) => code.length >= 4;
  return {
    codeParts: operationCodes.filter(isPart),
    wholeCodes: operationCodes.filter((code) => !isPart(code)).map(BigInt),
    named: text === undefined ? undefined : { organizations: namedLike(organizations, text), amount: centavosOf(text) },
  };
}

const namedLike = (organizations: readonly { id: string; name: string }[], text: string) =>
  organizations.flatMap(({ id, name }) => (name.toLowerCase().includes(text.toLowerCase()) ? [id] : []));

/** `150`, `150.2` and `150.25` are amounts in pesos. */
function centavosOf(text: string): bigint | undefined {
  const [, pesos, centavos = ''] = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  return pesos === undefined ? undefined : BigInt(pesos + centavos.padEnd(2, '0'));
}

export function partnerPayment(row: PartnerPaymentRow, takenAt: TakenAt): PartnerPayment {
  const { billing, terms } = row;
  return {
    ...shownIn('partner', row),
    id: row.id,
    status: partnerStatuses[row.status],
    financingMethod: financingMethod(terms),
    operationCode: Number(row.operationCode),
    amount: pesosOf(row.amount),
    periodicity: periodicity(row),
    createdAt: row.createdAt.toISOString(),
    organization: { id: row.organizationId, name: row.organizationName },
    cardInformation: {
      lastFourDigits: `**** ${row.lastFourDigits}`,
      networkType: row.network,
      issuingBank: row.issuingBank,
      fundingSource: row.fundingSource,
      entryMode: row.entryMode,
    },
    paymentDisbursement: paymentDisbursement(row.disbursement, row.rates),
    promotionId: row.rates?.promotion?.id ?? null,
    // For a captured hold, the bank's answer to the capture.
    transaction: row.captureTransaction ?? row.transaction,
    billingInformation: {
      email: billing?.email ?? null,
      firstName: billing?.firstName ?? null,
      lastName: billing?.lastName ?? null,
      phoneNumber: billing?.phoneNumber ?? null,
      address: billing?.address ?? { addressLine: null, city: null, state: null, zip: null },
    },
    ...takenBy(row, takenAt),
  };
}

const noRates: FeeRates = { feeBps: 0, promotionFeeDiscountBps: 0, promotionBusinessTakeBps: 0 };

/** If no money moved: zeros with the percentages. Without rates there are no percentages either. */
function paymentDisbursement(moved: StoredDisbursement | null, rates: FeeRates | null): PaymentDisbursement {
  const of = moved ?? noDisbursement(rates ?? noRates);
  const percent = (bps: number) => (rates === null ? null : percentage(bps));
  const money = (centavos: number | bigint) => decimalOf(BigInt(centavos));
  return {
    feePercentage: percent(of.feePercentage),
    promotionFeeDiscount: percent(of.promotionFeeDiscount),
    finalFeePercentageForMerchant: percent(of.finalFeePercentageForMerchant),
    finalFeePercentageForManufacturer: percent(of.finalFeePercentageForManufacturer),
    promotionBusinessTake: percent(of.promotionBusinessTake),
    feeAmount: money(of.feeAmount),
    merchantFeeAmount: money(of.merchantFeeAmount),
    manufacturerFeeAmount: money(of.manufacturerFeeAmount),
    merchantIvaFeeAmount: money(of.merchantIvaFeeAmount),
    manufacturerIvaFeeAmount: money(of.manufacturerIvaFeeAmount),
    totalFeeIva: money(of.totalFeeIva),
    promotionTakeAmount: money(of.promotionTakeAmount),
    merchantTakeAmount: money(of.merchantTakeAmount),
    manufacturerTakeAmount: money(of.manufacturerTakeAmount),
  };
}
