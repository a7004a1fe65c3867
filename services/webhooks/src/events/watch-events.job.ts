import type { Deps } from '../deps.ts';
import { findNews, newestPosition } from './event.store.ts';

/** The position up to which each process has looked; none while nobody waits there. */
const looked = new WeakMap<Deps['readers'], bigint>();

/** Wakes readers that wait here for events that another replica has kept. Queries nothing while nobody waits. */
export async function watchEvents({ db, readers }: Deps): Promise<number> {
  if (!readers.isAnyone()) {
    looked.delete(readers);
    return 0;
  }
  const after = looked.get(readers);
  if (after === undefined) {
    looked.set(readers, await newestPosition(db));
    // Readers that began to wait before this may have missed an event.
    readers.wakeAll();
    return 0;
  }
  for (const { organizationId, newest } of await findNews(db, after)) {
    if (newest > (looked.get(readers) ?? 0n)) looked.set(readers, newest);
    readers.wake(organizationId);
  }
  return 0;
}
