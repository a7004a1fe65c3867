import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Queries } from '@cobro/postgres/database.ts';
import type { ProductRow } from './product.row.ts';
import { findProduct } from './product.store.ts';

/** Finds an ACTIVE product, to be sold by something new. @throws Refusal 404, 409 */
export async function productOnSale(queries: Queries, organizationId: string, id: string): Promise<ProductRow> {
  const product = await findProduct(queries, organizationId, id);
  if (product === undefined) throw new Refusal('PRODUCT_NOT_FOUND');
  if (product.status === 'ARCHIVED') throw new Refusal('PRODUCT_NOT_ACTIVE');
  return product;
}
