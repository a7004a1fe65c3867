import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { changeProduct as contract } from '@cobro/contracts/routes/products.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import { changesOf } from '@cobro/service-kit/changes.ts';
import type { Deps } from '../deps.ts';
import { showProduct } from './product.rules.ts';
import { changeProduct as change, lockProduct } from './product.store.ts';

/** PATCH /product/{id}: under the row’s lock, so that two changes at once both stay. */
export async function changeProduct(
  { db, clock }: Deps,
  { caller, params, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const changed = await db.inTransaction(async (tx) => {
    const row = await lockProduct(tx, caller.organizationId, params.id);
    if (row === undefined) throw new Refusal('PRODUCT_NOT_FOUND');
    const changes = changesOf(row, readBody());
    return Object.keys(changes).length === 0 ? row : change(tx, row.id, changes, clock.now());
  });
  return ok(showProduct(changed));
}
