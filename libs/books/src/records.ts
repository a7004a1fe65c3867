export type { OperationRecord } from '@cobro/bank/operation-book.store.ts';
export type { Movement } from '@cobro/bank/settlement-report.ts';

/** The bank's record of an operation. The key is the operation's id. */
export interface LedgerEntry {
  idempotencyKey: string;
  kind: string;
  /** In centavos. */
  amount: number | null;
  outcome: 'approved' | 'declined';
  reference: string | null;
  createdAt: string;
}

/** An event as its merchant is shown it, with the parts of `data` that say how much moved (centavos) and when (ISO text). */
export interface ShownEvent {
  objectId: string;
  type: string;
  organizationId: string;
  status: string | null;
  amount: bigint | null;
  heldAt: string | null;
  capturedAt: string | null;
  holdReleasedAt: string | null;
  refundedAt: string | null;
}

/** An event, and when it was written down. */
export interface WrittenEvent {
  position: bigint;
  id: string;
  objectId: string;
  type: string;
  /** The period of a subscription that it is about. */
  periodNumber: number | null;
  /** Endpoints that asked for it and to which it is not to be sent. */
  undelivered: number;
}

/** An intent that ended without money. */
export interface CancelledIntent {
  id: string;
  organizationId: string;
  amount: bigint;
  updatedAt: Date;
}

export interface PaymentRecord {
  id: string;
  organizationId: string;
  acquirer: string;
  paymentIntentId: string | null;
  oneTimePaymentId: string | null;
  status: string;
  amount: bigint;
  heldAmount: bigint | null;
  bankReference: string | null;
  captureReference: string | null;
  heldAt: Date | null;
  captureBefore: Date | null;
  capturedAt: Date | null;
  holdReleasedAt: Date | null;
  refundedAt: Date | null;
  createdAt: Date;
}

export interface HoldRecord {
  paymentId: string;
  acquirer: string;
  status: 'HELD' | 'CAPTURED' | 'RELEASED' | 'EXPIRED';
  heldAmount: bigint;
  capturedAmount: bigint | null;
  bankReference: string;
  captureBefore: Date | null;
  capturedAt: Date | null;
  releasedAt: Date | null;
}

export interface ProjectionRecord {
  id: string;
  status: string;
  amount: bigint;
  heldAt: Date | null;
  captureBefore: Date | null;
  capturedAt: Date | null;
  releasedAt: Date | null;
  refundedAt: Date | null;
}
