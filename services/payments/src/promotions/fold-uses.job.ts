import type { Deps } from '../deps.ts';
import { foldUses } from './promotion.store.ts';

const AT_ONCE = 5_000;

/** Adds up what payments have noted of promotions without maxPayments. Returns 0 where nothing much is left. */
export async function foldPromotionUses({ db }: Pick<Deps, 'db'>): Promise<number> {
  const { folded } = await db.inTransaction((tx) => foldUses(tx, AT_ONCE));
  return folded < AT_ONCE ? 0 : folded;
}
