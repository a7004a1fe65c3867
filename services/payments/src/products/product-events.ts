import { type Envelope, newEvent } from '@cobro/contracts/events.ts';
import type { ProductRow } from './product.row.ts';
import { showProduct } from './product.rules.ts';

/** Shows the product as it was when last published as out of stock. */
export function productOutOfStock(row: ProductRow): Envelope {
  const { id, organizationId, outOfStockAnnounced: unitsSold, outOfStockAt, version } = row;
  if (outOfStockAt === null) throw new Error(`product ${id} has never been out of stock`);
  const product = { ...showProduct(row), stock: 0 };
  const data = { productId: id, organizationId, unitsSold, outOfStockAt, product };
  return newEvent('ProductOutOfStock', { subject: id, sequence: version, time: outOfStockAt, data });
}
