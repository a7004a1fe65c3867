import { pesosOf } from '@cobro/contracts/amount.ts';
import type { DataOf, PaymentFacts } from '@cobro/contracts/events.ts';
import type { OutwardPayment } from '@cobro/contracts/outward-events.ts';
import { type DeveloperFacts, developerPayment } from '@cobro/domain/developer-payment.ts';
import { holdDaysRemaining, holdExpired, holdExpiresAt } from '@cobro/domain/hold-window.ts';

const nothingYet = {
  heldAmount: null,
  confirmedAt: null,
  heldAt: null,
  holdExpiresAt: null,
  captureBefore: null,
  capturedAt: null,
  holdReleasedAt: null,
  refundedAt: null,
};

const shown = (facts: DeveloperFacts & { externalId: string | null }, at: Date): OutwardPayment => ({
  ...developerPayment(facts, at),
  externalId: facts.externalId,
});

export const confirmedPayment = (facts: PaymentFacts, confirmedAt: Date): OutwardPayment =>
  shown({ ...facts, ...nothingYet, id: facts.paymentId, status: 'CONFIRMED', confirmedAt }, confirmedAt);

export const declinedPayment = (facts: PaymentFacts, declinedAt: Date): OutwardPayment =>
  shown({ ...facts, ...nothingYet, id: facts.paymentId, status: 'CANCELLED' }, declinedAt);

export const heldPayment = (facts: DataOf<'HoldPlaced'>, heldAt: Date): OutwardPayment => {
  const { amount: heldAmount, captureBefore } = facts;
  const hold = { heldAmount, heldAt, holdExpiresAt: holdExpiresAt(heldAt), captureBefore };
  return shown({ ...facts, ...nothingYet, ...hold, id: facts.paymentId, status: 'HELD' }, heldAt);
};

export const refundedPayment = (
  id: string,
  facts: NonNullable<DataOf<'PaymentRefunded'>['payment']>,
  refundedAt: Date,
): OutwardPayment => shown({ ...facts, id, status: 'REFUNDED', holdReleasedAt: null, refundedAt }, refundedAt);

/** How a hold ended: what changes in the payment as it was shown at its placing. */
type Ending =
  | { status: 'CONFIRMED'; at: Date; amount: bigint }
  | { status: 'HOLD_RELEASED' | 'HOLD_EXPIRED'; at: Date };

export function endedHold(placed: OutwardPayment, ending: Ending): OutwardPayment {
  const { status, at } = ending;
  const expired = placed.holdExpiresAt !== null && holdExpired(new Date(placed.holdExpiresAt), at);
  const ended = { ...placed, status, holdExpired: expired, holdDaysRemaining: null };
  if (status !== 'CONFIRMED') return { ...ended, holdReleasedAt: at.toISOString() };
  return {
    ...ended,
    amount: pesosOf(ending.amount),
    capturedAt: at.toISOString(),
    // Only saved cards are held, and they are charged in one payment.
    paidTerms: 1,
  };
}

/** A placed hold as it is shown at a later time. */
export function stillHeld(placed: OutwardPayment, at: Date): OutwardPayment {
  const { heldAt, holdExpiresAt: expiresAt } = placed;
  if (heldAt === null || expiresAt === null) throw new Error('never held');
  return { ...placed, holdDaysRemaining: holdDaysRemaining(new Date(expiresAt), new Date(heldAt), at) };
}
