import type { ProjectionRecord } from '@cobro/books/records.ts';
import { type Queries, sql } from '@cobro/postgres/database.ts';

/** What reporting shows of payments, as it is compared with payments: of those with these ids, or of all. */
export const bookedProjections = (queries: Queries, ids?: string[]) =>
  queries.many<ProjectionRecord>(sql`
    select id, status, amount, held_at as "heldAt", capture_before as "captureBefore", captured_at as "capturedAt",
      coalesce(released_at, expired_at) as "releasedAt", refunded_at as "refundedAt"
    from payment where status is not null ${ids === undefined ? sql`` : sql`and id = any(${ids})`}`);
