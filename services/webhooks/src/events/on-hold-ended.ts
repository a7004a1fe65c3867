import type { Deps } from '../deps.ts';
import { type Maker, outwardOf } from './outward-event.ts';
import { endedHold, stillHeld } from './payment.rules.ts';

export const onHoldCaptured =
  ({ placedHolds }: Deps): Maker<'HoldCaptured'> =>
  async ({ paymentId: objectId, organizationId, amount, capturedAt: at }, event) => {
    const { placed, news } = await placedHolds.find(objectId, organizationId);
    const data = endedHold(placed, { status: 'CONFIRMED', at, amount });
    return [...news, outwardOf(event, { type: 'hold.captured', objectId, data })];
  };

export const onHoldReleased =
  ({ placedHolds }: Deps): Maker<'HoldReleased'> =>
  async ({ paymentId: objectId, organizationId, releasedAt: at }, event) => {
    const { placed, news } = await placedHolds.find(objectId, organizationId);
    const data = endedHold(placed, { status: 'HOLD_RELEASED', at });
    return [...news, outwardOf(event, { type: 'hold.released', objectId, data })];
  };

export const onHoldExpired =
  ({ placedHolds }: Deps): Maker<'HoldExpired'> =>
  async ({ paymentId: objectId, organizationId, releasedAt: at }, event) => {
    const { placed, news } = await placedHolds.find(objectId, organizationId);
    const data = endedHold(placed, { status: 'HOLD_EXPIRED', at });
    return [...news, outwardOf(event, { type: 'hold.expired', objectId, data })];
  };

/** The hold is near its end, but still held. */
export const onHoldEnding =
  ({ placedHolds }: Deps): Maker<'HoldEnding'> =>
  async ({ paymentId: objectId, organizationId, noticedAt }, event) => {
    const { placed, news } = await placedHolds.find(objectId, organizationId);
    return [...news, outwardOf(event, { type: 'hold.ending', objectId, data: stillHeld(placed, noticedAt) })];
  };
