import type { Product } from '@cobro/contracts/products.ts';
import { column, type RowOf, tableOf } from '@cobro/postgres/table.ts';

const columns = {
  id: column<string>(),
  organizationId: column<string>(),
  externalId: column<string | null>(),
  /** SHA-256 of the request as it was sent. */
  requestDigest: column<Buffer>(),
  status: column<Product['status']>(),
  name: column<string>(),
  description: column<string | null>(),
  /** Centavos. */
  price: column<bigint>(),
  currency: column<'MXN'>(),
  /** Null if units are not counted, which never changes. */
  stock: column<number | null>(),
  /** Units that are left plus those that payments have. */
  stocked: column<number | null>(),
  /** How many units payments had when it was last published as out of stock, and when that was. */
  outOfStockAnnounced: column<number>(),
  outOfStockAt: column<Date | null>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
  version: column<number>(),
};

export type ProductRow = RowOf<typeof columns>;
export const productTable = tableOf(columns);
