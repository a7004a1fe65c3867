import { dataOf } from '@cobro/contracts/events.ts';
import { holdExpiresAt } from '@cobro/domain/hold-window.ts';
import type { EventHandler } from '@cobro/events/inbox.ts';
import { disburseCapture } from './hold-disbursement.ts';
import { recordHeld } from './payment.store.ts';

export const onHoldPlaced: EventHandler = async (tx, event) => {
  const data = dataOf('HoldPlaced', event);
  const { heldAt, paymentId } = data;
  const terms = await recordHeld(tx, data, { heldAt, holdExpiresAt: holdExpiresAt(heldAt) });
  disburseCapture(tx, paymentId, terms);
};
