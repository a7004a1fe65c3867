import { parseEnvelope } from '@cobro/contracts/events.ts';
import { holdEnding } from '@cobro/contracts/hold-questions.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { eventHandlers, type Handler, type HandlersFor } from '@cobro/events/event-handlers.ts';
import { receiveEvent } from '@cobro/events/inbox.ts';
import { sql } from '@cobro/postgres/database.ts';
import type { Deps } from '../deps.ts';
import type { PaymentRow } from './payment.row.ts';
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

/** Brings our copy of a hold to where holds has brought the hold. A copy that is there already stays as it is. */
export const holdHandlers: HandlersFor<'HoldCaptured' | 'HoldReleased' | 'HoldExpired'> = {
  HoldCaptured: onHoldCaptured,
  HoldReleased: onHoldReleased,
  HoldExpired: onHoldExpired,
};

/**
 * Asks holds whether and how this hold has ended, and updates our copy as the event would. Refuses where the outcome of a capture
 * or release is not known yet.
 */
export async function followHold(deps: Deps, payment: PaymentRow, deadline: number): Promise<void> {
  const { event, operation } = holdEnding.parse(await deps.holds.get(`/internal/holds/${payment.id}`, deadline));
  if (event !== null) await receiveEvent(deps.db, eventHandlers(holdHandlers), parseEnvelope(event));
  else if (operation !== null) {
    throw new Refusal(operation === 'capture' ? 'CAPTURE_IN_PROGRESS' : 'RELEASE_IN_PROGRESS');
  }
}
