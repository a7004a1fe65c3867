import { within } from '@cobro/contracts/time-limit.ts';
import type { Deps } from '../deps.ts';

/** A revoked key must be refused within a second: half of it for this, half for the answer. */
export const EVICT_KEYS_EVERY_MS = 500;
/** A question that a dead connection swallowed must not stop the next one. */
const GIVE_UP_MS = 2_000;

/** Forgets the keys that were made or revoked anywhere since the last time. */
export async function evictKeys(deps: Pick<Deps, 'keys'>): Promise<number> {
  await within(GIVE_UP_MS, deps.keys.evictChanged());
  return 0;
}
