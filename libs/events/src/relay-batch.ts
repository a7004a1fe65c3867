import { type Database, sql } from '@cobro/postgres/database.ts';
import { context, propagation, ROOT_CONTEXT } from '@opentelemetry/api';
import type { Broker } from './broker.ts';
import type { Log } from './log.ts';
import { PublishError } from './publisher.ts';
import { eventsExchange } from './topology.ts';

interface OutboxRow {
  id: bigint;
  event_id: string;
  aggregate_id: string;
  type: string;
  envelope: string;
  headers: Record<string, string>;
}

/** Aggregates whose next event no queue took: others go on, these are tried again at a time (ms of the epoch). */
export type Unroutable = Map<string, { until: number; delayMs: number }>;

export interface BatchResult {
  read: number;
  /** The broker broke off or took too long: some of what was read is still there. */
  interrupted: boolean;
}

export const BATCH = 500;
/** Well inside the session's limit for an idle transaction. */
const PUBLISH_WITHIN_MS = 4_000;
const LOCK_NOT_AVAILABLE = '55P03';
const FIRST_HOLD_MS = 1_000;
const LAST_HOLD_MS = 30_000;

/**
 * Publishes the oldest events and deletes those that the broker has confirmed. The lock (one relay per schema at a time) is
 * of the transaction that deletes, so there is no session to lose it with, and any replica relays its own commits at once.
 * Dying or losing the database in between publishes again, in the same order: the inbox absorbs that.
 */
export async function relayBatch(
  deps: { db: Database; broker: Broker; log: Log },
  held: Unroutable,
  knownWork: boolean,
): Promise<BatchResult> {
  const waiting = sql`aggregate_id <> all(${stillHeld(held)}::text[])`;
  if (!knownWork) {
    const look = sql`select exists (select from outbox where ${waiting}) as found`;
    if (!(await deps.db.one<{ found: boolean }>(look)).found) return { read: 0, interrupted: false };
  }
  const batch = deps.db.inTransaction(async (tx) => {
    // Waits for its turn (at most the session's lock_timeout): the other relay may have read before our nudge's commit.
    // Its own commit does not wait for the disk: a delete that is lost with the server publishes again.
    tx.send(sql`
      select pg_advisory_xact_lock(hashtextextended(current_schema() || '.outbox', 0)),
        set_config('synchronous_commit', 'off', true)`);
    // What is still there, never `id > the last one`: ids become visible out of their order.
    const rows = await tx.many<OutboxRow>(sql`
      select id, event_id, aggregate_id, type, envelope, headers from outbox where ${waiting} order by id limit ${BATCH}`);
    const { published, interrupted } = await publishInOrder(deps, held, rows);
    if (published.length > 0) tx.send(sql`delete from outbox where id = any(${published}::bigint[])`);
    return { read: rows.length, interrupted };
  });
  return batch.catch((error: unknown) => {
    // Another replica's relay is publishing for longer than that: what is here is its work, and ours at the next pass.
    if ((error as { code?: unknown }).code === LOCK_NOT_AVAILABLE) return { read: 0, interrupted: true };
    throw error;
  });
}

function stillHeld(held: Unroutable): string[] {
  const now = Date.now();
  return [...held].filter(([, { until }]) => until > now).map(([aggregate]) => aggregate);
}

/** An aggregate's event goes out when the one before is confirmed; aggregates do not wait for each other. */
async function publishInOrder(deps: { broker: Broker; log: Log }, held: Unroutable, rows: OutboxRow[]) {
  const deadline = Date.now() + PUBLISH_WITHIN_MS;
  const published: bigint[] = [];
  let interrupted = false;
  const publishAll = async (aggregate: string, events: OutboxRow[]) => {
    for (const event of events) {
      if (interrupted || Date.now() > deadline) {
        interrupted = true;
        return;
      }
      try {
        await publish(deps.broker, event);
      } catch (error) {
        if (!(error instanceof PublishError)) throw error;
        if (error.reason === 'unavailable' || error.reason === 'timeout') interrupted = true;
        else hold(deps.log, held, event, error.reason);
        return;
      }
      published.push(event.id);
      held.delete(aggregate);
    }
  };
  const aggregates = Map.groupBy(rows, (row) => row.aggregate_id);
  await Promise.all([...aggregates].map(([aggregate, events]) => publishAll(aggregate, events)));
  return { published, interrupted };
}

function publish(broker: Broker, event: OutboxRow): Promise<void> {
  // The publish span becomes a child of the request that caused the event.
  return context.with(propagation.extract(ROOT_CONTEXT, event.headers), () =>
    broker.publish({
      exchange: eventsExchange(broker.prefix),
      routingKey: event.type,
      content: Buffer.from(event.envelope),
      messageId: event.event_id,
      headers: event.headers,
    }),
  );
}

function hold(log: Log, held: Unroutable, event: OutboxRow, reason: string): void {
  const before = held.get(event.aggregate_id)?.delayMs ?? 0;
  const delayMs = Math.min(Math.max(before * 2, FIRST_HOLD_MS), LAST_HOLD_MS);
  held.set(event.aggregate_id, { until: Date.now() + delayMs, delayMs });
  log.error(
    { event: 'event_held', eventId: event.event_id, type: event.type, reason },
    'no queue took the event; it and later ones of its aggregate wait',
  );
}
