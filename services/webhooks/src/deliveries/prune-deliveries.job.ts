import type { Deps } from '../deps.ts';
import { keptSince } from '../events/event.rules.ts';
import { deleteOldestDeliveries } from './delivery.store.ts';

/** Deletes what is no longer sent, and the log of it. */
export const pruneDeliveries = ({ db, clock }: Deps): Promise<number> =>
  deleteOldestDeliveries(db, keptSince(clock.now()));
