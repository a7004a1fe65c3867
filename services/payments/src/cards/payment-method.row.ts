import type { BillingFacts } from '@cobro/contracts/events.ts';
import { column, jsonColumn, type RowOf, tableOf } from '@cobro/postgres/table.ts';

const columns = {
  id: column<string>(),
  organizationId: column<string>(),
  externalId: column<string | null>(),
  status: column<'PENDING' | 'ACTIVE' | 'REVOKED'>(),
  /** Keyed hash of number and expiry. */
  fingerprint: column<Buffer>(),
  /** The acquirer whose vault gave the token. The card is charged there for its whole life. */
  acquirer: column<string>(),
  /** The vault's token, sealed and bound to the id of this row. */
  sealedToken: column<Buffer | null>(),
  lastFourDigits: column<string>(),
  network: column<string>(),
  fundingSource: column<string>(),
  issuingBank: column<string>(),
  expirationMonth: column<number>(),
  expirationYear: column<number>(),
  billing: jsonColumn<BillingFacts | null>(),
  createdAt: column<Date>(),
  version: column<number>(),
};

export type PaymentMethodRow = RowOf<typeof columns>;
export const paymentMethodTable = tableOf(columns);
