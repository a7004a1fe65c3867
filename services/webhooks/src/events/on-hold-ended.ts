import type { Handler } from '@cobro/events/event-handlers.ts';
import type { Deps } from '../deps.ts';
import { keepEvent } from './keep-event.ts';
import { endedHold, stillHeld } from './payment.rules.ts';
import { placedHold } from './placed-hold.ts';

export const onHoldCaptured =
  (deps: Deps): Handler<'HoldCaptured'> =>
  async (tx, { paymentId: objectId, organizationId, amount, capturedAt: at }, event) => {
    const placed = await placedHold(deps, tx, { paymentId: objectId, organizationId });
    const data = endedHold(placed, { status: 'CONFIRMED', at, amount });
    keepEvent(deps, tx, event, { type: 'hold.captured', objectId, data });
  };

export const onHoldReleased =
  (deps: Deps): Handler<'HoldReleased'> =>
  async (tx, { paymentId: objectId, organizationId, releasedAt: at }, event) => {
    const placed = await placedHold(deps, tx, { paymentId: objectId, organizationId });
    const data = endedHold(placed, { status: 'HOLD_RELEASED', at });
    keepEvent(deps, tx, event, { type: 'hold.released', objectId, data });
  };

export const onHoldExpired =
  (deps: Deps): Handler<'HoldExpired'> =>
  async (tx, { paymentId: objectId, organizationId, releasedAt: at }, event) => {
    const placed = await placedHold(deps, tx, { paymentId: objectId, organizationId });
    const data = endedHold(placed, { status: 'HOLD_EXPIRED', at });
    keepEvent(deps, tx, event, { type: 'hold.expired', objectId, data });
  };

/** It is still held. */
export const onHoldEnding =
  (deps: Deps): Handler<'HoldEnding'> =>
  async (tx, { paymentId: objectId, organizationId, noticedAt }, event) => {
    const placed = await placedHold(deps, tx, { paymentId: objectId, organizationId });
    keepEvent(deps, tx, event, { type: 'hold.ending', objectId, data: stillHeld(placed, noticedAt) });
  };
