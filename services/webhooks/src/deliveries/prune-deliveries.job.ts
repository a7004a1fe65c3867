import type { Deps } from '../deps.ts';
import { keptSince } from '../events/event.rules.ts';
import { deleteOldestDeliveries } from './delivery.store.ts';

/** Deletes deliveries of events that are no longer kept. */
export const pruneDeliveries = ({ db, clock }: Deps): Promise<number> =>
  deleteOldestDeliveries(db, keptSince(clock.now()));
