import type { Deps } from './deps.ts';
import { cutBlock, foldListChanges, type LongBlock, workAlone } from './list-tally.store.ts';

const AT_ONCE = 5_000;
const nothing = { folded: 0, long: [] as LongBlock[] };

/**
 * Adds what has changed in the lists to their tallies, and cuts blocks that have grown long. Returns 0 where nothing much is left,
 * because a few changes wait for the next round without harm: counts include them.
 */
export async function foldLists({ db }: Pick<Deps, 'db'>): Promise<number> {
  const { folded, long } = await db.inTransaction(async (tx) =>
    (await workAlone(tx)) ? foldListChanges(tx, AT_ONCE) : nothing,
  );
  // Apart from the folding, so that a list that cannot be counted in time keeps no change from being folded.
  for (const block of long) {
    await db.inTransaction(async (tx) => {
      if (await workAlone(tx)) await cutBlock(tx, block);
    });
  }
  return folded < AT_ONCE ? 0 : folded;
}
