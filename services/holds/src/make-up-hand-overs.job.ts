import type { Envelope } from '@cobro/contracts/events.ts';
import type { Deps } from './deps.ts';
import { removeMissed, takeMissed } from './missed-hand-over.store.ts';

const AT_ONCE = 16;
/** No merchant waits for it. */
const WITHIN_MS = 1_000;

/** Hands over again what could not be handed over before the answer, until payments has taken it. Returns how many it took. */
export async function makeUpHandOvers(deps: Deps): Promise<number> {
  const missed = await takeMissed(deps.db, AT_ONCE);
  const taken = await Promise.all(missed.map((event) => handOver(deps, event)));
  return taken.filter(Boolean).length;
}

/** Each in a call of its own, so that an event that payments cannot apply keeps none of the others from it. */
async function handOver({ db, payments }: Deps, event: Envelope): Promise<boolean> {
  const isTaken = await payments.post('/internal/events', event, WITHIN_MS).then(
    () => true,
    () => false,
  );
  if (isTaken) await removeMissed(db, event.id);
  return isTaken;
}
