import { holdExpiresAt } from '@cobro/domain/hold-window.ts';
import type { Handler } from '@cobro/events/event-handlers.ts';
import { disburseCapture } from './hold-disbursement.ts';
import { recordHeld } from './payment.store.ts';

export const onHoldPlaced: Handler<'HoldPlaced'> = async (tx, data) => {
  const { heldAt, paymentId } = data;
  const hold = await recordHeld(tx, data, { heldAt, holdExpiresAt: holdExpiresAt(heldAt) });
  disburseCapture(tx, paymentId, hold);
};
