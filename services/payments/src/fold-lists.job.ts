import type { Deps } from './deps.ts';
import { cutBlock, foldListChanges, type LongBlock, workAlone } from './list-tally.store.ts';

const AT_ONCE = 5_000;
const nothing = { folded: 0, long: [] as LongBlock[] };

/**
 * Folds changes of lists into their tallies, and cuts blocks that have grown long. Returns 0 if it folded less than a batch: counts
 * include the changes that wait for the next round.
 */
export async function foldLists({ db }: Pick<Deps, 'db'>): Promise<number> {
  const { folded, long } = await db.inTransaction(async (tx) =>
    (await workAlone(tx)) ? foldListChanges(tx, AT_ONCE) : nothing,
  );
  // In transactions of their own, so that a list that cannot be counted in time does not undo the folding.
  for (const block of long) {
    await db.inTransaction(async (tx) => {
      if (await workAlone(tx)) await cutBlock(tx, block);
    });
  }
  return folded < AT_ONCE ? 0 : folded;
}
