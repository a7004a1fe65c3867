import type { Deps } from '../deps.ts';
import { keptSince } from './event.rules.ts';
import { deleteOldest } from './event.store.ts';

const BATCH = 2_000;

/** Deletes events that happened more than 30 days ago, oldest rows first. */
export const pruneEvents = ({ db, clock }: Deps): Promise<number> => deleteOldest(db, keptSince(clock.now()), BATCH);
