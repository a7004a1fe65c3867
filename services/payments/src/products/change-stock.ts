import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { changeStock as contract } from '@cobro/contracts/routes/products.ts';
import { createOnce } from '@cobro/service-kit/create-once.ts';
import type { Deps } from '../deps.ts';
import { showProduct, stockAfter } from './product.rules.ts';
import { changeProduct, lockProduct } from './product.store.ts';
import { findStockChange, insertStockChange } from './stock-change.store.ts';

/** POST /product/{id}/stock: under the product's lock, so that sales and other changes at the same time all count. */
export function changeStock(
  { db, clock }: Deps,
  { caller: { organizationId }, params, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  return db.inTransaction(async (tx) => {
    const product = await lockProduct(tx, organizationId, params.id);
    if (product === undefined) throw new Refusal('PRODUCT_NOT_FOUND');
    const { change, externalId } = readBody();
    const now = clock.now();
    return createOnce({
      key: externalId,
      find: async (key) => {
        const earlier = await findStockChange(tx, organizationId, key);
        return earlier && { ...earlier, product };
      },
      isSame: (earlier) => earlier.productId === product.id && earlier.change === change,
      insert: async () => {
        const stock = stockAfter(product, change);
        const made = { organizationId, externalId, productId: product.id, change, createdAt: now };
        if (!(await insertStockChange(tx, made))) return undefined;
        return {
          ...made,
          product: await changeProduct(tx, product.id, { stock, stocked: (product.stocked ?? 0) + change }, now),
        };
      },
      show: (made) => showProduct(made.product),
    });
  });
}
