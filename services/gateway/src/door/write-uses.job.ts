import { within } from '@cobro/async/time-limit.ts';
import type { Deps } from '../deps.ts';
import { writeUses } from '../registry/key.store.ts';

export const WRITE_USES_EVERY_MS = 2_000;
const GIVE_UP_MS = 5_000;

/** Writes down when keys were used last. If that fails, they are due again. */
export async function writeKeyUses({ db, keyUses }: Pick<Deps, 'db' | 'keyUses'>): Promise<number> {
  const due = keyUses.due();
  if (due.length === 0) return 0;
  await within(GIVE_UP_MS, writeUses(db, due));
  keyUses.written(due);
  return 0;
}
