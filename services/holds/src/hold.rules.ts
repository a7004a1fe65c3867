import { centavosOf, decimalOf, pesosOf } from '@cobro/contracts/amount.ts';
import { shownIn } from '@cobro/contracts/payment-fields.ts';
import type { Payment, PaymentStatus } from '@cobro/contracts/payments.ts';
import { Refusal, type RefusalCode } from '@cobro/contracts/refusals.ts';
import { viewHold } from '@cobro/domain/hold-view.ts';
import { holdExpired } from '@cobro/domain/hold-window.ts';
import type { HoldRow, HoldStatus } from './hold.row.ts';

/** Every move that a hold can make. A move that is missing here is a bug. */
const transitions = {
  HELD: ['CAPTURED', 'RELEASED', 'EXPIRED'],
  CAPTURED: [],
  RELEASED: [],
  EXPIRED: [],
} as const satisfies Record<HoldStatus, readonly HoldStatus[]>;

/** What changes in a hold that moves to this status. Throws if the move is not allowed: the bank has then moved an ended hold. */
export function moveHold(row: HoldRow, to: HoldStatus, facts: Partial<HoldRow>): Partial<HoldRow> {
  const allowed: readonly HoldStatus[] = transitions[row.status];
  if (!allowed.includes(to)) throw new Error(`a hold cannot move from ${row.status} to ${to}`);
  return { ...facts, status: to, version: row.version + 1 };
}

const PAYMENT_STATUS = {
  HELD: 'HELD',
  CAPTURED: 'CONFIRMED',
  RELEASED: 'HOLD_RELEASED',
  EXPIRED: 'HOLD_EXPIRED',
} as const satisfies Record<HoldStatus, PaymentStatus>;

/** When a hold ends by itself: at the end of its window, or when the network lets go of the money, if that is sooner. */
export function endsAt({ expiresAt, captureBefore, letGoAt }: HoldRow): Date {
  const times = [expiresAt, captureBefore ?? expiresAt, letGoAt ?? expiresAt];
  return new Date(Math.min(...times.map(Number)));
}

/**
 * The sweep takes a hold this long after its end, so that a replica whose clock is ahead does not release a hold that another replica
 * still lets a merchant capture.
 */
export const CLOCK_SKEW_MS = 10_000;

/** The payment of a hold as merchants see it now. */
export function showHold(row: HoldRow, now: Date): Payment {
  return {
    ...shownIn('merchant', row.shown),
    createdAt: row.shown.createdAt,
    id: row.paymentId,
    status: PAYMENT_STATUS[row.status],
    amount: pesosOf(row.capturedAmount ?? row.heldAmount),
    heldAmount: pesosOf(row.heldAmount),
    capturedAt: row.capturedAt?.toISOString() ?? null,
    holdReleasedAt: row.releasedAt?.toISOString() ?? null,
    ...viewHold({ heldAt: row.heldAt, holdExpiresAt: row.expiresAt, held: row.status === 'HELD' }, now),
  };
}

const MAX_PESOS = 999_999_999.99;
const MORE_THAN_ANY_HOLD = 100_000_000_000n;

/**
 * The amount of a capture body in centavos; undefined if it is absent, which means the whole hold. `null` does not count as absent.
 */
export function captureAmount(given: unknown): bigint | undefined {
  if (given === undefined) return undefined;
  if (typeof given !== 'number') throw new Refusal('INVALID_CAPTURE_AMOUNT');
  // The number is above the highest amount that we accept, so it is more than any hold.
  if (given > MAX_PESOS) return MORE_THAN_ANY_HOLD;
  const centavos = centavosOf(given);
  if (centavos === undefined || centavos === 0n) throw new Refusal('INVALID_CAPTURE_AMOUNT');
  return centavos;
}

/** The part of a bank operation that these rules read. */
interface OpenOperation {
  purpose: string;
}

const IN_PROGRESS: Partial<Record<string, RefusalCode>> = {
  capture: 'CAPTURE_IN_PROGRESS',
  release: 'RELEASE_IN_PROGRESS',
  expire: 'RELEASE_IN_PROGRESS',
};

export function refuseOpenOperation(open: OpenOperation | undefined): void {
  if (open === undefined) return;
  throw new Refusal(IN_PROGRESS[open.purpose] ?? 'CAPTURE_IN_PROGRESS');
}

/** The checks of a capture that need only the hold's facts, in the order of interface-decisions.md. Returns the amount. */
export function amountToCapture(
  row: HoldRow,
  open: OpenOperation | undefined,
  asked: bigint | undefined,
  now: Date,
): bigint {
  if (row.status !== 'HELD') throw new Refusal('PAYMENT_NOT_HELD');
  refuseOpenOperation(open);
  if (holdExpired(row.expiresAt, now)) throw new Refusal('HOLD_WINDOW_CLOSED');
  const amount = asked ?? row.heldAmount;
  if (amount > row.heldAmount) {
    const message = `amount: is greater than the amount held, ${decimalOf(row.heldAmount)}.`;
    throw new Refusal('CAPTURE_AMOUNT_EXCEEDS_HOLD', { message });
  }
  if (row.rates === null) throw new Refusal('HOLD_CHANNEL_UNKNOWN');
  return amount;
}

/** For a capture: true if its decline code says that the funds are free. */
export const isLetGo = (declineCode: string): boolean => declineCode === 'expired';

/** For a void: true if its decline code says that the funds are free. */
export const alreadyFree = (declineCode: string): boolean =>
  declineCode === 'already_expired' || declineCode === 'already_voided';
