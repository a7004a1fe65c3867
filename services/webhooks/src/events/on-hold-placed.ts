import type { Handler } from '@cobro/events/event-handlers.ts';
import type { Deps } from '../deps.ts';
import { keepEvent } from './keep-event.ts';
import { heldPayment } from './payment.rules.ts';

export const onHoldPlaced =
  (deps: Deps): Handler<'HoldPlaced'> =>
  (tx, data, event) => {
    const { paymentId: objectId, heldAt } = data;
    keepEvent(deps, tx, event, { type: 'hold.placed', objectId, data: heldPayment(data, heldAt) });
  };
