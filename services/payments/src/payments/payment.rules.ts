import { pesosOf } from '@cobro/contracts/amount.ts';
import { fixedPart, type Payment, type PaymentStatus, type Refund } from '@cobro/contracts/payments.ts';
import type { RefusalCode } from '@cobro/contracts/refusals.ts';
import { viewHold } from '@cobro/domain/hold-view.ts';
import type { PaymentRow } from './payment.row.ts';

/** Every move that a payment can make. A move that is missing here is a bug. */
const transitions = {
  NOT_INITIALIZED: ['PENDING', 'CANCELLED'],
  PENDING: ['CONFIRMED', 'HELD', 'CANCELLED', 'NOT_INITIALIZED'],
  HELD: ['CONFIRMED', 'HOLD_RELEASED', 'HOLD_EXPIRED'],
  CONFIRMED: ['REFUNDED'],
  CANCELLED: [],
  REFUNDED: [],
  HOLD_RELEASED: [],
  HOLD_EXPIRED: [],
} as const satisfies Record<PaymentStatus, readonly PaymentStatus[]>;

/** The statuses from which a payment can move to this one. */
export const statusesBefore = (to: PaymentStatus): PaymentStatus[] =>
  (Object.keys(transitions) as PaymentStatus[]).filter((from) =>
    (transitions[from] as readonly PaymentStatus[]).includes(to),
  );

/** Returns what changes in a payment that moves to this status. Throws if it cannot, which is a bug. */
export function movePayment(row: PaymentRow, to: PaymentStatus, facts: Partial<PaymentRow> = {}): Partial<PaymentRow> {
  const allowed: readonly PaymentStatus[] = transitions[row.status];
  if (!allowed.includes(to)) throw new Error(`a payment cannot move from ${row.status} to ${to}`);
  return { ...facts, status: to, version: row.version + 1 };
}

const iso = (date: Date | null) => date?.toISOString() ?? null;

/** The payment as merchants see it now. */
export function showPayment(row: PaymentRow, now: Date): Payment {
  return {
    ...fixedPart(row),
    id: row.id,
    status: row.status,
    amount: pesosOf(row.amount),
    heldAmount: row.heldAmount === null ? null : pesosOf(row.heldAmount),
    capturedAt: iso(row.capturedAt),
    holdReleasedAt: iso(row.holdReleasedAt),
    ...viewHold({ ...row, held: row.status === 'HELD' }, now),
  };
}

export function showRefund(row: PaymentRow): Refund {
  const { id, status, amount, currency, externalId } = showPayment(row, row.createdAt);
  return { id, status, amount, currency, externalId };
}

/** Whether a charge asks for what the payment was made for. holdFunds and description are not compared. */
export function sameCharge(row: PaymentRow, charge: { paymentMethodId: string; amount: bigint }): boolean {
  // After a capture `amount` is what was captured, while `heldAmount` is what was asked for.
  return row.paymentMethodId === charge.paymentMethodId && (row.heldAmount ?? row.amount) === charge.amount;
}

/** Whether the call to the bank may still be running in some process. Later an inquiry must find the outcome. */
export function callIsRunning(operation: { unansweredAt: Date | null; ageMs: number }, callTimeoutMs: number): boolean {
  return operation.unansweredAt === null && operation.ageMs < callTimeoutMs;
}

/** Why a payment in this status cannot be refunded; undefined if it can. */
export function refundRefusal(status: PaymentStatus): RefusalCode | undefined {
  if (status === 'CONFIRMED') return undefined;
  return status === 'REFUNDED' ? 'PAYMENT_ALREADY_REFUNDED' : 'PAYMENT_NOT_REFUNDABLE';
}
