import type { Operation } from '@cobro/bank/journal.ts';
import type { OperationStatus } from '@cobro/bank/journal.store.ts';
import { type Queries, sql } from '@cobro/postgres/database.ts';

export interface OperationRecord {
  id: string;
  purpose: Operation['purpose'];
  subjectId: string;
  amount: bigint | null;
  status: OperationStatus;
  reference: string | null;
  declineCode: string | null;
}

export interface PaymentRecord {
  id: string;
  paymentIntentId: string | null;
  status: string;
  amount: bigint;
  heldAmount: bigint | null;
  bankReference: string | null;
  captureReference: string | null;
  heldAt: Date | null;
  capturedAt: Date | null;
  holdReleasedAt: Date | null;
  refundedAt: Date | null;
}

export interface IntentRecord {
  id: string;
  status: 'PENDING' | 'CONFIRMED' | 'CANCELLED';
  amount: bigint;
  /** The payment whose outcome intents does not know yet. */
  charging: string | null;
  paymentId: string | null;
  paymentStatus: string | null;
}

export interface HoldRecord {
  paymentId: string;
  status: 'HELD' | 'CAPTURED' | 'RELEASED' | 'EXPIRED';
  heldAmount: bigint;
  capturedAmount: bigint | null;
  bankReference: string;
  capturedAt: Date | null;
  releasedAt: Date | null;
}

export interface ProjectionRecord {
  id: string;
  status: string;
  amount: bigint;
  heldAt: Date | null;
  capturedAt: Date | null;
  releasedAt: Date | null;
  refundedAt: Date | null;
}

/**
 * All that the services wrote down about what they asked the bank and what came of it. Operations are in the order of their
 * claims.
 */
export interface Records {
  operations: OperationRecord[];
  payments: PaymentRecord[];
  cards: { id: string; status: string }[];
  holds: HoldRecord[];
  intents: IntentRecord[] | undefined;
  projections: ProjectionRecord[] | undefined;
  /** Events that have not been published yet. */
  waiting: { of: string; count: number }[];
}

export async function readRecords(from: {
  payments: Queries;
  holds: Queries;
  intents?: Queries;
  reporting?: Queries;
}): Promise<Records> {
  const { payments, holds, intents, reporting } = from;
  const [asked, captured, paid, cards, held, wanted, projections, ...waiting] = await Promise.all([
    operationsOf(payments),
    operationsOf(holds),
    payments.many<PaymentRecord>(sql`
      select id, payment_intent_id as "paymentIntentId", status, amount, held_amount as "heldAmount", bank_reference as "bankReference",
        capture_reference as "captureReference", held_at as "heldAt", captured_at as "capturedAt",
        hold_released_at as "holdReleasedAt", refunded_at as "refundedAt"
      from payment`),
    payments.many<Records['cards'][number]>(sql`select id, status from payment_method`),
    holds.many<HoldRecord>(sql`
      select payment_id as "paymentId", status, held_amount as "heldAmount", captured_amount as "capturedAmount",
        bank_reference as "bankReference", captured_at as "capturedAt", released_at as "releasedAt"
      from hold`),
    intents?.many<IntentRecord>(sql`
      select id, status, amount, charging_payment_id as charging, payment_id as "paymentId",
        payment_status as "paymentStatus"
      from payment_intent`),
    reporting?.many<ProjectionRecord>(sql`
      select id, status, amount, held_at as "heldAt", captured_at as "capturedAt",
        coalesce(released_at, expired_at) as "releasedAt", refunded_at as "refundedAt"
      from payment where status is not null`),
    waitingIn('payments', payments),
    waitingIn('holds', holds),
    ...(intents === undefined ? [] : [waitingIn('intents', intents)]),
  ]);
  const operations = [...asked, ...captured];
  return { operations, payments: paid, cards, holds: held, intents: wanted, projections, waiting };
}

const operationsOf = (queries: Queries) =>
  queries.many<OperationRecord>(sql`
    select id, purpose, subject_id as "subjectId", amount, status, answer->>'reference' as reference,
      answer->>'declineCode' as "declineCode"
    from bank_operation order by claimed_at, id`);

async function waitingIn(of: string, queries: Queries): Promise<{ of: string; count: number }> {
  const { count } = await queries.one<{ count: number }>(sql`select count(*)::int as count from outbox`);
  return { of, count };
}
