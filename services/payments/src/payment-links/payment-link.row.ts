import type { PaymentLink } from '@cobro/contracts/payment-links.ts';
import { column, type RowOf, tableOf } from '@cobro/postgres/table.ts';

const kept = {
  id: column<string>(),
  organizationId: column<string>(),
  externalId: column<string | null>(),
  /** SHA-256 of the request as it was sent. */
  requestDigest: column<Buffer>(),
  productId: column<string | null>(),
  active: column<boolean>(),
  description: column<string>(),
  /** Centavos; null if the product's price is asked for. */
  amount: column<bigint | null>(),
  currency: column<'MXN'>(),
  allowedTerms: column<PaymentLink['allowedTerms']>(),
  maxPayments: column<number | null>(),
  paymentsCount: column<number>(),
  expiresAt: column<Date | null>(),
  redirectUrl: column<string | null>(),
  homepageUrl: column<string | null>(),
  /** The salesperson that its payments name. */
  salespersonId: column<string | null>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
  version: column<number>(),
  /** The maxPayments for which it was last published as sold out, and when that was. */
  soldOutAnnounced: column<number | null>(),
  soldOutAt: column<Date | null>(),
};

/** The stored columns, without the derived ones. */
export const keptLinkTable = tableOf(kept);

/** Adds the columns that are derived when a link is read. */
const columns = {
  ...kept,
  status: column<PaymentLink['status']>(),
  /** Centavos: its own amount, or the product's price now. */
  price: column<bigint>(),
  productName: column<string | null>(),
  salespersonName: column<string | null>(),
  salespersonUsername: column<string | null>(),
  /** Whether the product's units are counted. */
  isCounted: column<boolean>(),
};

export type PaymentLinkRow = RowOf<typeof columns>;
export const paymentLinkTable = tableOf(columns);
