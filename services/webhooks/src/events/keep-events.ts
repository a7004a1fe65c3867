import type { Deps } from '../deps.ts';
import { keptSince } from './event.rules.ts';
import { insertingEvents, type NewEvent } from './event.store.ts';

/** Keeps new events unless they are too old. Wakes the readers that wait for them. */
export async function keepEvents(
  { db, clock, placedHolds, readers, due }: Pick<Deps, 'db' | 'clock' | 'placedHolds' | 'readers' | 'due'>,
  events: readonly NewEvent[],
): Promise<void> {
  const now = clock.now();
  const since = keptSince(now);
  const fresh = events.filter(({ createdAt }) => createdAt >= since);
  if (fresh.length === 0) return;
  const deliveries = await db.run(insertingEvents(fresh, now));
  if (deliveries > 0) due.wake();
  placedHolds.kept(fresh);
  for (const organizationId of new Set(fresh.map((event) => event.organizationId))) readers.wake(organizationId);
}
