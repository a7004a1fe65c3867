import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { getProduct as contract } from '@cobro/contracts/routes/products.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { showProduct } from './product.rules.ts';
import { findProduct } from './product.store.ts';

/** GET /product/{id}, and /developer/v1/product/{id}. */
export async function getProduct(
  { db }: Deps,
  { caller, params }: Pick<InputOf<typeof contract>, 'caller' | 'params'>,
): Promise<AnswerOf<typeof contract>> {
  const row = await findProduct(db, caller.organizationId, params.id);
  if (row === undefined) throw new Refusal('PRODUCT_NOT_FOUND');
  return ok(showProduct(row));
}
