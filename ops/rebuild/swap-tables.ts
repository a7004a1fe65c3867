import type { Tx } from '@cobro/postgres/database.ts';
import { OperatorError } from '@cobro/service-kit/operator-error.ts';
import { catchUpToTheEnd, catchUpWithProjection } from './projected-again.ts';
import { patiently, type Rebuild } from './rebuild.ts';
import {
  dropLeftOvers,
  exchangeSchemas,
  findBuild,
  findOtherMigrations,
  listUnlisted,
  lockSchemas,
  stopProjection,
} from './schemas.store.ts';

export interface Swapped {
  /** Payments that the old tables did not list, and that the new ones do. */
  newlyListed: number;
  /** How long events waited for the swap. */
  eventsWaitedMs: number;
}

/**
 * Puts the new tables into the place of those that serve, in one transaction. Events wait meanwhile; reads do not. Everything that was
 * projected until then is in the new tables, and each payment has kept the time at which it was listed, so walks go on whole.
 * @throws OperatorError if there are no complete new tables, or if a migration has come meanwhile
 */
export async function swapTables(rebuild: Rebuild): Promise<Swapped> {
  const { next, serving, retellings, note } = rebuild;
  if ((await findBuild(serving)) !== 'ready') throw notComplete();
  await catchUpWithProjection(rebuild);
  const { newlyListed, lockedAt } = await patiently(next, async (tx) => {
    lockSchemas(tx);
    if ((await findBuild(tx)) !== 'ready') throw notComplete();
    await refuseOtherMigrations(tx);
    await stopProjection(tx);
    const since = performance.now();
    await catchUpToTheEnd(tx, retellings);
    const listed = await listUnlisted(tx);
    exchangeSchemas(tx);
    return { newlyListed: listed, lockedAt: since };
  });
  const eventsWaitedMs = Math.round(performance.now() - lockedAt);
  note(`the new tables serve; events waited ${eventsWaitedMs} ms`);
  await patiently(serving, dropLeftOvers);
  return { newlyListed, eventsWaitedMs };
}

const notComplete = () => new OperatorError('There are no complete new tables: `reporting build` makes them.');

async function refuseOtherMigrations(tx: Tx): Promise<void> {
  const other = await findOtherMigrations(tx);
  if (other.length === 0) return;
  const names = other.map(({ name }) => name).join(', ');
  throw new OperatorError(`A migration has come since the rebuild began (${names}): rebuild again.`);
}
