import type { ProjectionRecord } from '@cobro/books/records.ts';
import { type Queries, sql } from '@cobro/postgres/database.ts';

/** Rows as reporting shows them, to compare with the service payments' books: all, or those of these ids. */
export const bookedProjections = (queries: Queries, ids?: string[]) =>
  queries.many<ProjectionRecord>(sql`
    select id, status, amount, held_at as "heldAt", capture_before as "captureBefore", captured_at as "capturedAt",
      coalesce(released_at, expired_at) as "releasedAt", refunded_at as "refundedAt"
    from payment where status is not null ${ids === undefined ? sql`` : sql`and id = any(${ids})`}`);
