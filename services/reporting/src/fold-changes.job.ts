import type { Deps } from './deps.ts';
import { foldOldestChanges } from './payment-tally.store.ts';

const AT_ONCE = 5_000;

/**
 * Adds the projection's changes to tallies and sums. Returns 0 if little is left, because a few changes can wait for the next round:
 * counts include them.
 */
export async function foldChanges({ db }: Pick<Deps, 'db'>): Promise<number> {
  const folded = await db.inTransaction((tx) => foldOldestChanges(tx, AT_ONCE));
  return folded < AT_ONCE ? 0 : folded;
}
