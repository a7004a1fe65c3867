import { within } from '@cobro/async/time-limit.ts';
import type { Deps } from '../deps.ts';

/**
 * A revoked key must be refused within a second: half of that for the wait until this job runs, half for the database's reply.
 */
export const EVICT_KEYS_EVERY_MS = 500;
/** The database's reply may be lost with a dead connection, and that must not stop later runs. */
const GIVE_UP_MS = 2_000;

/** Forgets the keys that any gateway has made or revoked since the last run. */
export async function evictKeys(deps: Pick<Deps, 'keys'>): Promise<number> {
  await within(GIVE_UP_MS, deps.keys.evictChanged());
  return 0;
}
