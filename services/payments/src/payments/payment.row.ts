import type { BillingFacts, PaymentFacts, StoredBankTransaction } from '@cobro/contracts/events.ts';
import type { PaymentStatus } from '@cobro/contracts/payments.ts';
import { column, jsonColumn, type RowOf, tableOf } from '@cobro/postgres/table.ts';

const columns = {
  id: column<string>(),
  organizationId: column<string>(),
  paymentMethodId: column<string | null>(),
  type: column<PaymentFacts['type']>(),
  source: column<PaymentFacts['source']>(),
  status: column<PaymentStatus>(),
  holdFunds: column<boolean>(),
  /** Centavos that moved or will move. */
  amount: column<bigint>(),
  heldAmount: column<bigint | null>(),
  currency: column<'MXN'>(),
  externalId: column<string | null>(),
  description: column<string | null>(),
  /** At most Number.MAX_SAFE_INTEGER, where the sequence ends. */
  operationCode: column<bigint>(),
  terms: column<number>(),
  /** The rates of the fee channel, frozen. Null where no channel was found (only for a hold). */
  rates: jsonColumn<PaymentFacts['rates']>(),
  card: jsonColumn<PaymentFacts['card']>(),
  billing: jsonColumn<BillingFacts | null>(),
  bankReference: column<string | null>(),
  captureReference: column<string | null>(),
  declineCode: column<string | null>(),
  createdAt: column<Date>(),
  heldAt: column<Date | null>(),
  holdExpiresAt: column<Date | null>(),
  capturedAt: column<Date | null>(),
  holdReleasedAt: column<Date | null>(),
  refundedAt: column<Date | null>(),
  /** The bank's answer to the charge or hold. */
  bankTransaction: jsonColumn<StoredBankTransaction | null>(),
  oneTimePaymentId: column<string | null>(),
  /** Keyed hash of the page's token and the card, for a payment made by a page's form. */
  attemptDigest: column<Buffer | null>(),
  paymentIntentId: column<string | null>(),
  /** Where and by whom the card was taken, as it was at that moment. */
  terminalId: column<string | null>(),
  salespersonId: column<string | null>(),
  branchId: column<string | null>(),
  version: column<number>(),
};

export type PaymentRow = RowOf<typeof columns>;
export const paymentTable = tableOf(columns);
