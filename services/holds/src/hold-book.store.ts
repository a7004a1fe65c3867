import type { HoldRecord } from '@cobro/books/records.ts';
import { type Queries, sql } from '@cobro/postgres/database.ts';

/** Holds as they are compared with the bank's books: all, or those of the given payments. */
export const bookedHolds = (queries: Queries, ids?: string[]) =>
  queries.many<HoldRecord>(sql`
    select payment_id as "paymentId", acquirer, status, held_amount as "heldAmount", captured_amount as "capturedAmount",
      bank_reference as "bankReference", capture_before as "captureBefore", captured_at as "capturedAt", released_at as "releasedAt"
    from hold ${ids === undefined ? sql`` : sql`where payment_id = any(${ids})`}`);
