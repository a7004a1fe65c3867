import type { Deps } from '../deps.ts';
import { type Maker, outwardOf } from './outward-event.ts';
import { heldPayment } from './payment.rules.ts';

export const onHoldPlaced =
  ({ placedHolds }: Deps): Maker<'HoldPlaced'> =>
  (facts, event) => {
    const { paymentId: objectId, heldAt } = facts;
    const data = heldPayment(facts, heldAt);
    const placing = outwardOf(event, { type: 'hold.placed', objectId, data });
    placedHolds.remember(placing);
    return [placing];
  };
