import { holdExpiresAt } from '@cobro/domain/hold-window.ts';
import type { Handler } from '@cobro/events/event-handlers.ts';
import { recordMade } from './payment.store.ts';

export const onHoldPlaced: Handler<'HoldPlaced'> = (tx, data) => {
  const { heldAt, captureBefore } = data;
  recordMade(tx, data, { heldAt, holdExpiresAt: holdExpiresAt(heldAt), captureBefore });
};
