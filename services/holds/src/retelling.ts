import { type Retelling, retelling } from '@cobro/events/retelling.ts';
import type { Queries } from '@cobro/postgres/database.ts';
import { endingEvent } from './hold-events.ts';
import { findHoldsAfter, findHoldsOf } from './hold.store.ts';

/** Retells how each hold ended. payments retells HoldPlaced. */
export const retellHolds = (queries: Queries): Retelling =>
  retelling({
    after: (paymentId, limit) => findHoldsAfter(queries, paymentId, limit),
    ofKeys: (paymentIds) => findHoldsOf(queries, paymentIds),
    keyOf: ({ paymentId }) => paymentId,
    eventsOf: (rows) => rows.map(endingEvent).filter((event) => event !== null),
  });
