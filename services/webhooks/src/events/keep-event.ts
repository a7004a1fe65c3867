import type { Envelope } from '@cobro/contracts/events.ts';
import { type OutwardDataOf, outwardId, type OutwardType } from '@cobro/contracts/outward-events.ts';
import type { Tx } from '@cobro/postgres/database.ts';
import type { Deps } from '../deps.ts';
import { keptSince } from './event.rules.ts';
import { insertEvent } from './event.store.ts';

/** Keeps what a merchant is shown of an event, unless it is known or too old. Wakes who waits for it. */
export function keepEvent<T extends OutwardType>(
  { clock, readers }: Pick<Deps, 'clock' | 'readers'>,
  tx: Tx,
  { organizationid: organizationId, time }: Envelope,
  { type, objectId, data }: { type: T; objectId: string; data: OutwardDataOf<T> },
): void {
  const createdAt = new Date(time);
  if (createdAt < keptSince(clock.now())) return;
  insertEvent(tx, { id: outwardId(objectId, type), organizationId, type, objectId, createdAt, data });
  tx.afterCommit(() => readers.wake(organizationId));
}
