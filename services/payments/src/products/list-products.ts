import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { listProducts as contract } from '@cobro/contracts/routes/products.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { showProduct } from './product.rules.ts';
import { listProducts as list } from './product.store.ts';

/** GET /product: newest first. */
export async function listProducts(
  { reads }: Deps,
  { caller: { organizationId }, query: { page, pageSize, status } }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { count, rows } = await reads.inTurn(organizationId, () =>
    list(reads, { organizationId, status, page, pageSize }),
  );
  return ok({ count, page, pageSize, items: rows.map(showProduct) });
}
