import type { StoredBankTransaction } from '@cobro/contracts/events.ts';
import type { FixedPart } from '@cobro/contracts/payments.ts';
import type { FeeRates } from '@cobro/domain/fees.ts';
import { column, jsonColumn, type RowOf, tableOf } from '@cobro/postgres/table.ts';

export type HoldStatus = 'HELD' | 'CAPTURED' | 'RELEASED' | 'EXPIRED';

const columns = {
  paymentId: column<string>(),
  organizationId: column<string>(),
  paymentMethodId: column<string>(),
  status: column<HoldStatus>(),
  /** Centavos, as are the amounts below. */
  heldAmount: column<bigint>(),
  capturedAmount: column<bigint | null>(),
  /** The bank that holds the money. */
  acquirer: column<string>(),
  bankReference: column<string>(),
  /** Frozen when the hold was placed. Null if no fee channel was found; such a hold cannot be captured. */
  rates: jsonColumn<FeeRates | null>(),
  heldAt: column<Date>(),
  expiresAt: column<Date>(),
  /** When the network lets go of the money. Null if the bank did not say. */
  captureBefore: column<Date | null>(),
  /** Set if the bank declined a capture because the money was free already. The sweep is due from then on. */
  letGoAt: column<Date | null>(),
  capturedAt: column<Date | null>(),
  releasedAt: column<Date | null>(),
  /** The bank's answer to the capture. */
  bankTransaction: jsonColumn<StoredBankTransaction | null>(),
  /** The payment's other fields that merchants are shown, as payments sent them when it was placed. No rule reads them. */
  shown: jsonColumn<FixedPart>(),
  version: column<number>(),
};

export type HoldRow = RowOf<typeof columns>;
export const holdTable = tableOf(columns);
