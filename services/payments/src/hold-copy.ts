import { dataOf, type Envelope, parseEnvelope } from '@cobro/contracts/events.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { receiveEvent } from '@cobro/events/inbox.ts';
import { sql, type Tx } from '@cobro/postgres/database.ts';
import { z } from 'zod';
import type { Deps } from './deps.ts';
import type { PaymentRow } from './payment.rules.ts';
import { followMove } from './payment.store.ts';

async function onHoldCaptured(tx: Tx, event: Envelope): Promise<void> {
  const { paymentId, amount, capturedAt, transaction } = dataOf('HoldCaptured', event);
  followMove(
    tx,
    paymentId,
    'CONFIRMED',
    sql`, amount = ${amount}, captured_at = ${capturedAt},
    capture_reference = ${transaction.bankReference}`,
  );
}

async function onHoldReleased(tx: Tx, event: Envelope): Promise<void> {
  const { paymentId, releasedAt } = dataOf('HoldReleased', event);
  followMove(tx, paymentId, 'HOLD_RELEASED', sql`, hold_released_at = ${releasedAt}`);
}

async function onHoldExpired(tx: Tx, event: Envelope): Promise<void> {
  const { paymentId, releasedAt } = dataOf('HoldExpired', event);
  followMove(tx, paymentId, 'HOLD_EXPIRED', sql`, hold_released_at = ${releasedAt}`);
}

/** holds decides what becomes of a hold; these events bring our copy of it there. A copy that is there already stays. */
export const holdHandlers = {
  HoldCaptured: onHoldCaptured,
  HoldReleased: onHoldReleased,
  HoldExpired: onHoldExpired,
};

const answer = z.object({ event: z.unknown().nullable(), operation: z.string().nullable() });

/**
 * Asks holds how this hold ended, if it did, and takes it over as its event would. Refuses what has to wait for a capture or
 * release whose outcome is open.
 */
export async function followHold(deps: Deps, payment: PaymentRow, deadline: number): Promise<void> {
  const { event, operation } = answer.parse(await deps.holds.get(`/internal/holds/${payment.id}`, deadline));
  if (event !== null) await receiveEvent(deps.db, holdHandlers, parseEnvelope(event));
  else if (operation !== null) {
    throw new Refusal(operation === 'capture' ? 'CAPTURE_IN_PROGRESS' : 'RELEASE_IN_PROGRESS');
  }
}
