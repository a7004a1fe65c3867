import { newId } from '@cobro/contracts/ids.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { createProduct as contract } from '@cobro/contracts/routes/products.ts';
import { createOnce, digestOf } from '@cobro/service-kit/create-once.ts';
import type { Deps } from '../deps.ts';
import { showProduct } from './product.rules.ts';
import { findProductByExternalId, insertProduct } from './product.store.ts';

/** POST /product: 201. Repeating the same request under its externalId makes no other product. */
export async function createProduct(
  { db, clock }: Deps,
  { caller: { organizationId }, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const asked = readBody();
  const requestDigest = digestOf(asked);
  const now = clock.now();
  return createOnce({
    key: asked.externalId,
    find: (externalId) => findProductByExternalId(db, organizationId, externalId),
    isSame: (row) => row.requestDigest.equals(requestDigest),
    insert: () =>
      insertProduct(db, {
        id: newId(now.getTime()),
        organizationId,
        externalId: asked.externalId ?? null,
        requestDigest,
        name: asked.name,
        description: asked.description ?? null,
        price: asked.price,
        currency: 'MXN',
        stock: asked.stock ?? null,
        createdAt: now,
        updatedAt: now,
      }),
    show: showProduct,
  });
}
