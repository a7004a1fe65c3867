import type { Envelope } from '@cobro/contracts/events.ts';
import type { Deps } from './deps.ts';
import { removeMissed, takeMissed } from './missed-hand-over.store.ts';

const AT_ONCE = 16;
/** Long, because no merchant waits for this hand-over. */
const WITHIN_MS = 1_000;

/** Repeats hand-overs that failed before the answer, until payments has taken them. Returns how many it took. */
export async function makeUpHandOvers(deps: Deps): Promise<number> {
  const missed = await takeMissed(deps.db, AT_ONCE);
  const taken = await Promise.all(missed.map((event) => handOver(deps, event)));
  return taken.filter(Boolean).length;
}

/** Sends each event in its own call, so that one that payments cannot apply does not block the others. */
async function handOver({ db, payments }: Deps, event: Envelope): Promise<boolean> {
  const isTaken = await payments.post('/internal/events', event, WITHIN_MS).then(
    () => true,
    () => false,
  );
  if (isTaken) await removeMissed(db, event.id);
  return isTaken;
}
