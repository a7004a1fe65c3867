import { type Envelope, parseEnvelope } from '@cobro/contracts/events.ts';
import { dataOf } from '@cobro/contracts/events.ts';
import { receiveEvent } from '@cobro/events/inbox.ts';
import { sql, type Tx } from '@cobro/postgres/database.ts';
import { z } from 'zod';
import type { Deps } from './deps.ts';
import type { PaymentRow } from './payment.rules.ts';
import { lookAgain, movePayment } from './payment.store.ts';

async function onHoldCaptured(tx: Tx, event: Envelope): Promise<void> {
  const { paymentId, amount, capturedAt, transaction } = dataOf('HoldCaptured', event);
  await movePayment(
    tx,
    paymentId,
    'CONFIRMED',
    sql`, amount = ${amount}, captured_at = ${capturedAt},
    capture_reference = ${transaction.bankReference}`,
  );
}

async function onHoldReleased(tx: Tx, event: Envelope): Promise<void> {
  const { paymentId, releasedAt } = dataOf('HoldReleased', event);
  await movePayment(tx, paymentId, 'HOLD_RELEASED', sql`, hold_released_at = ${releasedAt}`);
}

async function onHoldExpired(tx: Tx, event: Envelope): Promise<void> {
  const { paymentId, releasedAt } = dataOf('HoldExpired', event);
  await movePayment(tx, paymentId, 'HOLD_EXPIRED', sql`, hold_released_at = ${releasedAt}`);
}

/** holds decides what becomes of a hold; these events bring our copy of it there. A copy that is there already stays. */
export const holdHandlers = {
  HoldCaptured: onHoldCaptured,
  HoldReleased: onHoldReleased,
  HoldExpired: onHoldExpired,
};

const answer = z.object({ event: z.unknown().nullable() });

/** Asks holds how this hold ended, if it did, and takes it over as its event would. */
export async function followHold(deps: Deps, payment: PaymentRow): Promise<PaymentRow> {
  const json = await deps.holds.get(`/internal/holds/${payment.id}`);
  const event = json === undefined ? null : answer.parse(json).event;
  if (event === null) return payment;
  await receiveEvent(deps.db, holdHandlers, parseEnvelope(event));
  return lookAgain(deps.db, payment.id);
}
