import type { Deps } from '../deps.ts';
import { pruneSessions } from '../sessions/session.store.ts';
import { pruneLocks } from './lock.store.ts';

/** Counts that no longer count, and sessions of a month ago. */
export async function pruneSignIns({ db }: Deps): Promise<number> {
  await pruneLocks(db);
  return pruneSessions(db);
}
