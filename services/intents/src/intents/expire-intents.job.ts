import type { Deps } from '../deps.ts';
import { announceEnd } from './announce-end.ts';
import { closeExpired } from './payment-intent.store.ts';

const AT_ONCE = 100;

/** Cancels open intents whose time has passed, and returns how many. An intent that a card is being charged for is left to its outcome. */
export const expireIntents = (deps: Deps): Promise<number> =>
  deps.db.inTransaction(async (tx) => {
    const expired = await closeExpired(tx, deps.clock.now(), AT_ONCE);
    for (const row of expired) announceEnd(deps, tx, row);
    return expired.length;
  });
