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
  /** Null where units are not counted, which never changes. */
  stock: column<number | null>(),
  /** Those that are left, and those that payments have. */
  stocked: column<number | null>(),
  /** With how many units in payments it was published last that none is left, and since when. */
  outOfStockAnnounced: column<number>(),
  outOfStockAt: column<Date | null>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
  version: column<number>(),
};

export type ProductRow = RowOf<typeof columns>;
export const productTable = tableOf(columns);
