import type { Handler, HandlersFor } from '@cobro/events/event-handlers.ts';
import { sql } from '@cobro/postgres/database.ts';
import { followMove } from './payment.store.ts';

const onHoldCaptured: Handler<'HoldCaptured'> = (tx, { paymentId, amount, capturedAt, transaction }) => {
  const facts = sql`, amount = ${amount}, captured_at = ${capturedAt}, capture_reference = ${transaction.bankReference}`;
  followMove(tx, paymentId, 'CONFIRMED', facts);
};

const onHoldReleased: Handler<'HoldReleased'> = (tx, { paymentId, releasedAt }) => {
  followMove(tx, paymentId, 'HOLD_RELEASED', sql`, hold_released_at = ${releasedAt}`);
};

const onHoldExpired: Handler<'HoldExpired'> = (tx, { paymentId, releasedAt }) => {
  followMove(tx, paymentId, 'HOLD_EXPIRED', sql`, hold_released_at = ${releasedAt}`);
};

/** Moves our copy of a hold to the status that holds has given it. A copy that has it already stays unchanged. */
export const holdHandlers: HandlersFor<'HoldCaptured' | 'HoldReleased' | 'HoldExpired'> = {
  HoldCaptured: { isRepeatable: true, apply: onHoldCaptured },
  HoldReleased: { isRepeatable: true, apply: onHoldReleased },
  HoldExpired: { isRepeatable: true, apply: onHoldExpired },
};
