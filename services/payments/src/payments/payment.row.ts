import type { StoredBankTransaction } from '@cobro/contracts/events.ts';
import { type FieldValues, paymentFields } from '@cobro/contracts/payment-fields.ts';
import type { PaymentStatus } from '@cobro/contracts/payments.ts';
import { column, columnsOf, jsonColumn, type RowOf, tableOf } from '@cobro/postgres/table.ts';

const columns = {
  id: column<string>(),
  organizationId: column<string>(),
  /** `amount` is what moved or will move: after a capture, what was captured. */
  ...columnsOf<FieldValues>(paymentFields),
  status: column<PaymentStatus>(),
  holdFunds: column<boolean>(),
  heldAmount: column<bigint | null>(),
  bankReference: column<string | null>(),
  captureReference: column<string | null>(),
  declineCode: column<string | null>(),
  heldAt: column<Date | null>(),
  holdExpiresAt: column<Date | null>(),
  /** When the network lets go of a hold's money. Null if the bank did not say. */
  captureBefore: column<Date | null>(),
  capturedAt: column<Date | null>(),
  holdReleasedAt: column<Date | null>(),
  refundedAt: column<Date | null>(),
  /** The bank's answer to the charge or hold. */
  bankTransaction: jsonColumn<StoredBankTransaction | null>(),
  /** Keyed hash of the card and the token of the form that was sent; for a payment link, of the card and the attempt's id. */
  attemptDigest: column<Buffer | null>(),
  /** The payer's id of an attempt to pay a payment link. */
  attemptId: column<string | null>(),
  /** The period of its subscription that it pays. */
  periodNumber: column<number | null>(),
  /** How many keys the acquirer has closed by `retry`. */
  closedKeys: column<number>(),
  version: column<number>(),
};

export type PaymentRow = RowOf<typeof columns>;
export const paymentTable = tableOf(columns);
