import type { Envelope, EventType } from '@cobro/contracts/events.ts';
import { type OutwardDataOf, outwardId, type OutwardType } from '@cobro/contracts/outward-events.ts';
import type { RowMaker } from '@cobro/events/kept-events.ts';
import type { NewEvent } from './event.store.ts';

/** Makes outward events of one event. */
export type Maker<T extends EventType> = RowMaker<T, NewEvent>;

export function outwardOf<T extends OutwardType>(
  { organizationid: organizationId, time }: Envelope,
  { type, objectId, number, data }: { type: T; objectId: string; number?: number; data: OutwardDataOf<T> },
): NewEvent {
  return { id: outwardId(objectId, type, number), organizationId, type, objectId, createdAt: new Date(time), data };
}
