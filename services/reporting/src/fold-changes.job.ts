import type { Deps } from './deps.ts';
import { foldOldestChanges } from './payment-tally.store.ts';

const AT_ONCE = 5_000;

/**
 * Adds what the projection has changed to the tallies. Returns 0 where nothing much is left, because a few changes wait for the next
 * round without harm: counts include them.
 */
export async function foldChanges({ db }: Pick<Deps, 'db'>): Promise<number> {
  const folded = await db.inTransaction((tx) => foldOldestChanges(tx, AT_ONCE));
  return folded < AT_ONCE ? 0 : folded;
}
