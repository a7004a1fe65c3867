import { within } from '@cobro/async/time-limit.ts';
import type { Deps } from '../deps.ts';
import { endRolled } from '../registry/key.store.ts';

export const END_ROLLED_KEYS_EVERY_MS = 1_000;
const GIVE_UP_MS = 5_000;

/** Writes `revoked_at` of rolled keys that have ended. This release refuses them by the clock; release 0.1.0 reads only `revoked_at`. */
export async function endRolledKeys({ db }: Pick<Deps, 'db'>): Promise<number> {
  await within(GIVE_UP_MS, endRolled(db));
  return 0;
}
