import type { BankTransaction, BillingFacts, PaymentFacts } from '@cobro/contracts/events.ts';
import type { FeeRates } from '@cobro/domain/fees.ts';
import { column, jsonColumn, type RowOf, tableOf } from '@cobro/postgres/table.ts';
import type { StoredDisbursement } from './payment.rules.ts';

/**
 * The columns that events fill, as they are written; each is null in Postgres until its event has come. What lists show of them
 * is `PaymentRow`. Amounts are centavos.
 */
const columns = {
  id: column<string>(),
  organizationId: column<string>(),
  createdAt: column<Date>(),
  listedAt: column<Date>(),
  type: column<PaymentFacts['type']>(),
  source: column<PaymentFacts['source']>(),
  operationCode: column<number>(),
  externalId: column<string | null>(),
  currency: column<'MXN'>(),
  placedAmount: column<bigint>(),
  terms: column<number>(),
  /** The rates of the fee channel, frozen. Null where no channel was found (only for a hold). */
  rates: jsonColumn<FeeRates | null>(),
  lastFourDigits: column<string>(),
  network: column<string>(),
  fundingSource: column<string>(),
  issuingBank: column<string>(),
  entryMode: column<string | null>(),
  billing: jsonColumn<BillingFacts | null>(),
  paymentMethodId: column<string | null>(),
  oneTimePaymentId: column<string | null>(),
  paymentIntentId: column<string | null>(),
  /** Where and by whom the card was taken. */
  terminalId: column<string | null>(),
  salespersonId: column<string | null>(),
  branchId: column<string | null>(),
  /** The bank's answer to the charge or hold. */
  transaction: jsonColumn<BankTransaction>(),
  confirmedAt: column<Date | null>(),
  declinedAt: column<Date | null>(),
  heldAt: column<Date | null>(),
  holdExpiresAt: column<Date | null>(),
  capturedAt: column<Date>(),
  capturedAmount: column<bigint>(),
  captureTransaction: jsonColumn<BankTransaction>(),
  releasedAt: column<Date>(),
  expiredAt: column<Date>(),
  refundedAt: column<Date>(),
  disbursement: jsonColumn<StoredDisbursement | null>(),
};

export type StoredPayment = RowOf<typeof columns>;
export const paymentTable = tableOf(columns);
