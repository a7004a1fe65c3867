import { type Queries, sql } from '@cobro/postgres/database.ts';

/** An event that is still in a schema's outbox or inbox. */
export interface KnownEvent {
  eventId: string;
  /** Null if the event is only in the inbox, which keeps no types. */
  type: string | null;
  at: Date;
}

/** Events of these aggregates that the broker has not confirmed yet, and when each was written. */
export const waitingInOutbox = (queries: Queries, aggregateIds: readonly string[]) =>
  queries.many<KnownEvent>(sql`
    select event_id as "eventId", type, created_at as at from outbox
    where aggregate_id = any(${aggregateIds}::text[]) order by id`);

/** Which of these events were applied in this schema, and when. They are forgotten after a month. */
export const appliedByInbox = (queries: Queries, eventIds: readonly string[]) =>
  queries.many<KnownEvent>(sql`
    select event_id as "eventId", null as type, consumed_at as at from inbox
    where event_id = any(${eventIds}::uuid[]) order by consumed_at`);
