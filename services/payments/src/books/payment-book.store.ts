import type { PaymentRecord } from '@cobro/books/records.ts';
import { type Queries, sql, type Sql } from '@cobro/postgres/database.ts';

const booked = (queries: Queries, which: Sql) =>
  queries.many<PaymentRecord>(sql`
    select id, organization_id as "organizationId", acquirer, payment_intent_id as "paymentIntentId",
      one_time_payment_id as "oneTimePaymentId", status, amount, held_amount as "heldAmount",
      bank_reference as "bankReference", capture_reference as "captureReference", held_at as "heldAt",
      capture_before as "captureBefore", captured_at as "capturedAt", hold_released_at as "holdReleasedAt",
      refunded_at as "refundedAt", created_at as "createdAt"
    from payment ${which}`);

/** Reads the payments that are compared with the bank's books: those with these ids, or all. */
export const bookedPayments = (queries: Queries, ids?: readonly string[]) =>
  booked(queries, ids === undefined ? sql`` : sql`where id = any(${ids}::uuid[])`);

export const bookedPaymentsOfIntents = (queries: Queries, intentIds: readonly string[]) =>
  booked(queries, sql`where payment_intent_id = any(${intentIds}::uuid[])`);
