import { type Difference, differences, type Fact, iso } from './difference.ts';
import type { HoldRecord, OperationRecord, PaymentRecord, ProjectionRecord } from './records.ts';

/** A payment's operation, and the bank's answer in its ledger or in our books. */
export interface AnsweredOperation extends OperationRecord {
  said: { outcome: 'approved' | 'declined'; amount: bigint | null; reference: string | null; time: string } | undefined;
}

/** A payment, and what was asked of the bank for it, in the order of the claims. */
export interface BookedPayment {
  payment: PaymentRecord;
  operations: AnsweredOperation[];
}

export const approved = (operations: AnsweredOperation[], ...purposes: OperationRecord['purpose'][]) =>
  operations.filter(({ purpose, said }) => purposes.includes(purpose) && said?.outcome === 'approved');

/** Money of one payment that moved more than once. */
export function movedOnce({ payment: { id }, operations }: BookedPayment): Difference[] {
  const [made, captures, voids, refunds] = (
    [['charge', 'hold'], ['capture'], ['release', 'expire'], ['refund']] as const
  ).map((purposes) => approved(operations, ...purposes).length) as [number, number, number, number];
  const found = Object.entries({ charged: made, captured: captures, refunded: refunds })
    .filter(([, times]) => times > 1)
    .map(([what, times]) => `payment ${id} was ${what} ${times} times`);
  if (captures + voids > 1) found.push(`payment ${id}: ${captures} captures and ${voids} voids`);
  return found.map((sentence) => ({ what: 'amount', id, sentence }));
}

/**
 * Operations sent to another acquirer than the payment's own, which alone knows its money. Those never seen there count too, because
 * the key may have been closed at the wrong acquirer. A payment is taken again with another acquirer's card only if nothing was sent.
 */
export const askedElsewhere = ({ payment: { id, acquirer }, operations }: BookedPayment): Difference[] =>
  operations
    .filter((operation) => operation.status !== 'not_sent' && operation.acquirer !== acquirer)
    .map((operation) => ({
      what: 'acquirer',
      id,
      sentence: `payment ${id} of ${acquirer}: the ${operation.purpose} ${operation.id} was asked of ${operation.acquirer}`,
    }));

/** What a payment should be according to what the bank said. */
function expected({ operations }: BookedPayment) {
  const [made] = approved(operations, 'charge', 'hold');
  const [capture] = approved(operations, 'capture');
  const [refund] = approved(operations, 'refund');
  const freed = operations.find(isFreed);
  const taken = capture ?? (made?.purpose === 'charge' ? made : undefined);
  const last = operations.findLast(({ purpose }) => purpose === 'charge' || purpose === 'hold');
  const unmade = last?.status === 'not_sent' ? 'NOT_INITIALIZED' : 'CANCELLED';
  const ended = freed && (freed.purpose === 'release' ? 'HOLD_RELEASED' : 'HOLD_EXPIRED');
  const whole = taken === undefined ? (ended ?? (made ? 'HELD' : unmade)) : 'CONFIRMED';
  return { status: refund ? 'REFUNDED' : whole, made, capture, refund, freed };
}

const isFreed = ({ purpose, said, declineCode }: AnsweredOperation) =>
  (purpose === 'release' || purpose === 'expire') &&
  (said?.outcome === 'approved' || declineCode === 'already_expired' || declineCode === 'already_voided');

export function comparePayment(booked: BookedPayment): Difference[] {
  const { payment } = booked;
  const { status, made, capture, refund, freed } = expected(booked);
  const held = made?.purpose === 'hold' ? made : undefined;
  const moves = capture ?? made;
  return differences(payment.id, `payment ${payment.id} in payments`, [
    ['state', 'status', payment.status, status],
    ['amount', 'amount', payment.amount, moves?.said ? moves.said.amount : payment.amount],
    ['amount', 'held_amount', payment.heldAmount, held?.said?.amount],
    ['reference', 'bank_reference', payment.bankReference, made?.said?.reference],
    ['reference', 'capture_reference', payment.captureReference, capture?.said?.reference],
    ['time', 'held_at', iso(payment.heldAt), held?.said?.time],
    ['time', 'captured_at', iso(payment.capturedAt), capture?.said?.time],
    ['time', 'hold_released_at', iso(payment.holdReleasedAt), freed?.said?.time],
    ['time', 'refunded_at', iso(payment.refundedAt), refund?.said?.time],
  ]);
}

const HOLD_STATUS: Record<string, HoldRecord['status']> = {
  HELD: 'HELD',
  CONFIRMED: 'CAPTURED',
  REFUNDED: 'CAPTURED',
  HOLD_RELEASED: 'RELEASED',
  HOLD_EXPIRED: 'EXPIRED',
};

/** A copy made by release 0.1.0, which may have run beside newer services, lacks it. */
const captureBefore = (copy: { captureBefore: Date | null }, payment: PaymentRecord): Fact => {
  const right = iso(payment.captureBefore);
  return ['time', 'capture_before', iso(copy.captureBefore) ?? right, right];
};

/** Compares the hold of a payment with what the bank said. Returns nothing if the payment is no hold. */
export function compareHold(booked: BookedPayment, hold: HoldRecord | undefined): Difference[] {
  const { id } = booked.payment;
  const { status, made, capture, freed } = expected(booked);
  if (made?.purpose !== 'hold') return [];
  if (hold === undefined) return [{ what: 'missing_here', id, sentence: `holds has no hold ${id}` }];
  return differences(id, `hold ${id} in holds`, [
    ['acquirer', 'acquirer', hold.acquirer, booked.payment.acquirer],
    ['state', 'status', hold.status, HOLD_STATUS[status]],
    ['amount', 'held_amount', hold.heldAmount, made.said?.amount],
    ['amount', 'captured_amount', hold.capturedAmount, capture?.said?.amount],
    ['reference', 'bank_reference', hold.bankReference, made.said?.reference],
    captureBefore(hold, booked.payment),
    ['time', 'captured_at', iso(hold.capturedAt), capture?.said?.time],
    ['time', 'released_at', iso(hold.releasedAt), freed?.said?.time],
  ]);
}

const SHOWN = new Set(['CONFIRMED', 'CANCELLED', 'REFUNDED', 'HELD', 'HOLD_RELEASED', 'HOLD_EXPIRED']);

/** Compares reporting's copy of a payment with the payment. */
export function compareProjection(payment: PaymentRecord, projection: ProjectionRecord | undefined): Difference[] {
  const { id } = payment;
  if (!SHOWN.has(payment.status)) {
    const sentence = `reporting has a payment ${id} that is ${payment.status} in payments`;
    return projection === undefined ? [] : [{ what: 'state', id, sentence }];
  }
  if (projection === undefined) return [{ what: 'missing_here', id, sentence: `reporting has no payment ${id}` }];
  const facts: Fact[] = [
    ['state', 'status', projection.status, payment.status],
    ['amount', 'amount', projection.amount, payment.amount],
    ['time', 'heldAt', iso(projection.heldAt), iso(payment.heldAt)],
    captureBefore(projection, payment),
    ['time', 'capturedAt', iso(projection.capturedAt), iso(payment.capturedAt)],
    ['time', 'holdReleasedAt', iso(projection.releasedAt), iso(payment.holdReleasedAt)],
    ['time', 'refundedAt', iso(projection.refundedAt), iso(payment.refundedAt)],
  ];
  return differences(id, `payment ${id} in reporting`, facts);
}
