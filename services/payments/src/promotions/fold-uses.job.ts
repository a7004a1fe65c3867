import type { Deps } from '../deps.ts';
import { foldUses } from './promotion.store.ts';

const AT_ONCE = 5_000;

/** Folds promotion_use into promotions without maxPayments. Returns 0 if it folded less than a batch. */
export async function foldPromotionUses({ db }: Pick<Deps, 'db'>): Promise<number> {
  const { folded } = await db.inTransaction((tx) => foldUses(tx, AT_ONCE));
  return folded < AT_ONCE ? 0 : folded;
}
