import type { Deps } from '../deps.ts';
import { pruneChallenges } from '../passkeys/passkey.store.ts';
import { pruneLooks } from '../platform/loan.store.ts';
import { pruneSessions } from '../sessions/session.store.ts';
import { pruneNewFactors } from './factor.store.ts';
import { pruneLocks } from './lock.store.ts';

/** Deletes expired counts, challenges and looks, second factors whose set-up was not finished, and sessions of a month ago. */
export async function pruneSignIns({ db }: Deps): Promise<number> {
  await pruneLocks(db);
  await pruneNewFactors(db);
  await pruneChallenges(db);
  await pruneLooks(db);
  return pruneSessions(db);
}
