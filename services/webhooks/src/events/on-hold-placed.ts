import type { Deps } from '../deps.ts';
import { type Maker, outwardOf } from './outward-event.ts';
import { heldPayment } from './payment.rules.ts';

export const onHoldPlaced =
  ({ placedHolds }: Deps): Maker<'HoldPlaced'> =>
  (facts, event) => {
    const { paymentId: objectId, heldAt } = facts;
    const data = heldPayment(facts, heldAt);
    placedHolds.remember(objectId, data);
    return [outwardOf(event, { type: 'hold.placed', objectId, data })];
  };
