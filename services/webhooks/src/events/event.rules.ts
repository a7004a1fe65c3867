import { type OutwardEvent, outwardEvents, type OutwardType } from '@cobro/contracts/outward-events.ts';

const KEPT_MS = 30 * 86_400_000;

/** Events that happened before this are no longer kept or shown. */
export const keptSince = (now: Date): Date => new Date(now.getTime() - KEPT_MS);

export interface EventRow {
  position: bigint;
  id: string;
  organizationId: string;
  type: OutwardType;
  objectId: string;
  createdAt: Date;
  data: object;
}

export const showEvent = ({
  id,
  type,
  createdAt,
  organizationId,
  objectId,
  data,
}: Omit<EventRow, 'position'>): OutwardEvent => ({
  id,
  type,
  createdAt: createdAt.toISOString(),
  organizationId,
  object: { type: outwardEvents[type].object, id: objectId },
  data,
});
