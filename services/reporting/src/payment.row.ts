import type { DeveloperPayment } from '@cobro/contracts/developer-payments.ts';
import type { StoredBankTransaction } from '@cobro/contracts/events.ts';
import { fieldsBut, type FieldValues } from '@cobro/contracts/payment-fields.ts';
import type { Disbursement } from '@cobro/domain/fees.ts';
import { column, columnsOf, jsonColumn, type RowOf, tableOf } from '@cobro/postgres/table.ts';

/** No list shows the description; the amount and the parts of the card have columns of their own. */
const fields = fieldsBut('description', 'amount', 'card');

/** Centavos and basis points. */
export type StoredDisbursement = Record<keyof Disbursement, number>;

/** The columns that the event of a payment's making fills. */
const made = {
  ...columnsOf<Pick<FieldValues, keyof typeof fields>>(fields),
  placedAmount: column<bigint>(),
  lastFourDigits: column<string>(),
  network: column<string>(),
  fundingSource: column<string>(),
  issuingBank: column<string>(),
  entryMode: column<string | null>(),
  /** The bank's answer to the charge or hold. */
  transaction: jsonColumn<StoredBankTransaction>(),
};

/** All columns of a row that lists show. Before the event of its making, more of them are null. Amounts are centavos. */
const columns = {
  id: column<string>(),
  organizationId: column<string>(),
  ...made,
  listedAt: column<Date>(),
  confirmedAt: column<Date | null>(),
  declinedAt: column<Date | null>(),
  heldAt: column<Date | null>(),
  holdExpiresAt: column<Date | null>(),
  captureBefore: column<Date | null>(),
  /** Null also if an older release projected the decline, until the next rebuild. */
  declineCode: column<string | null>(),
  capturedAt: column<Date | null>(),
  capturedAmount: column<bigint | null>(),
  captureTransaction: jsonColumn<StoredBankTransaction | null>(),
  releasedAt: column<Date | null>(),
  expiredAt: column<Date | null>(),
  refundedAt: column<Date | null>(),
  disbursement: jsonColumn<StoredDisbursement | null>(),
  /** Postgres derives these two. */
  amount: column<bigint>(),
  status: column<DeveloperPayment['status']>(),
};

export type PaymentRow = RowOf<typeof columns>;
export const paymentTable = tableOf(columns);
export const madeColumns = Object.keys(made) as (keyof typeof made)[];
