import type { Deps } from '../deps.ts';
import { productOutOfStock } from './product-events.ts';
import { lockEmpty, noteOutOfStock } from './product.store.ts';

const BATCH = 100;

/** Publishes that a product is out of stock, once for each number of units sold, and not while a charge for it is open. */
export const announceOutOfStock = ({ db, outbox, clock }: Deps): Promise<number> =>
  db.inTransaction(async (tx) => {
    const locked = await lockEmpty(tx, BATCH);
    if (locked.length === 0) return 0;
    const products = await noteOutOfStock(tx, locked, clock.now());
    for (const product of products) outbox.append(tx, productOutOfStock(product));
    return products.length;
  });
