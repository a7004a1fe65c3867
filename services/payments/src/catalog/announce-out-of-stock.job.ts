import type { Deps } from '../deps.ts';
import { productOutOfStock } from './product-events.ts';
import { lockEmpty, noteOutOfStock } from './product.store.ts';

const BATCH = 100;

/** Publishes once for each number of units sold that none is left. While a payment may give its unit back it is not said. */
export const announceOutOfStock = ({ db, outbox, clock }: Deps): Promise<number> =>
  db.inTransaction(async (tx) => {
    const locked = await lockEmpty(tx, BATCH);
    if (locked.length === 0) return 0;
    const products = await noteOutOfStock(tx, locked, clock.now());
    for (const product of products) outbox.append(tx, productOutOfStock(product));
    return products.length;
  });
