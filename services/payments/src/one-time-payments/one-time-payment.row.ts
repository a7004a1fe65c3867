import type { BillingFacts } from '@cobro/contracts/events.ts';
import type { OneTimePayment } from '@cobro/contracts/one-time-payments.ts';
import { column, jsonColumn, type RowOf, tableOf } from '@cobro/postgres/table.ts';

const columns = {
  id: column<string>(),
  organizationId: column<string>(),
  externalId: column<string | null>(),
  /** SHA-256 of the request as it was sent. */
  requestDigest: column<Buffer>(),
  status: column<OneTimePayment['status']>(),
  description: column<string>(),
  /** Centavos. */
  amount: column<bigint>(),
  currency: column<'MXN'>(),
  expiresAt: column<Date>(),
  redirectUrl: column<string | null>(),
  homepageUrl: column<string | null>(),
  allowedTerms: column<OneTimePayment['allowedTerms']>(),
  billing: jsonColumn<BillingFacts | null>(),
  /** The salesperson that its payment names. */
  salespersonId: column<string | null>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
  version: column<number>(),
};

export type OneTimePaymentRow = RowOf<typeof columns>;
export const oneTimePaymentTable = tableOf(columns);
