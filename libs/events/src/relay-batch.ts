import { type Database, sql } from '@cobro/postgres/database.ts';
import { context, propagation, ROOT_CONTEXT } from '@opentelemetry/api';
import type { Broker } from './broker.ts';
import type { EventSigner } from './event-signature.ts';
import type { Log } from './log.ts';
import { PublishError } from './publisher.ts';
import { eventsExchange } from './topology.ts';

interface OutboxRow {
  id: bigint;
  event_id: string;
  aggregate_id: string;
  type: string;
  routing_key: string;
  envelope: string;
  headers: Record<string, string>;
}

/**
 * Aggregates whose next event no queue took. They are tried again at `until` (ms of the epoch); other aggregates go on meanwhile.
 */
export type Unroutable = Map<string, { until: number; delayMs: number }>;

export interface BatchResult {
  read: number;
  /** True if the broker broke off or took too long, so that some of the events that were read are still in the outbox. */
  interrupted: boolean;
}

export const BATCH = 500;
/** Well below the limit for an idle transaction (10 s), because the transaction waits while the events are published. */
const PUBLISH_WITHIN_MS = 4_000;
const LOCK_NOT_AVAILABLE = '55P03';
const FIRST_BACK_OFF_MS = 1_000;
const LAST_BACK_OFF_MS = 30_000;

export interface Relaying {
  db: Database;
  broker: Broker;
  sign: EventSigner;
  log: Log;
}

/**
 * Publishes the oldest events and deletes those that the broker has confirmed. One relay per schema works at a time. Its lock
 * belongs to the transaction that deletes, so no broken session can leave it behind, and any replica can relay its own commits at
 * once. If the process dies, the database goes away or the transaction runs again, the same events are published again in the
 * same order. Consumers know an event by its id, so they apply it once.
 */
export async function relayBatch(deps: Relaying, backedOff: Unroutable, knownWork: boolean): Promise<BatchResult> {
  const waiting = sql`aggregate_id <> all(${stillBackedOff(backedOff)}::text[])`;
  if (!knownWork) {
    const look = sql`select exists (select from outbox where ${waiting}) as found`;
    if (!(await deps.db.one<{ found: boolean }>(look)).found) return { read: 0, interrupted: false };
  }
  const batch = deps.db.inTransaction(async (tx) => {
    // Waits for the lock (at most lock_timeout), because the other relay may have read before the commit that we were nudged for.
    // The commit does not wait for the disk: if a crash of the server undoes a delete, the events are published again.
    tx.send(sql`
      select pg_advisory_xact_lock(hashtextextended(current_schema() || '.outbox', 0)),
        set_config('synchronous_commit', 'off', true)`);
    // A database that takes only reads refuses here, before events are published that cannot be deleted.
    tx.send(sql`delete from outbox where false`);
    // Reads all remaining rows, because ids can become visible out of order.
    const rows = await tx.many<OutboxRow>(sql`
      select id, event_id, aggregate_id, type, coalesce(routing_key, type) as routing_key, envelope, headers
      from outbox where ${waiting} order by id limit ${BATCH}`);
    const { published, interrupted } = await publishInOrder(deps, backedOff, rows);
    if (published.length > 0) tx.send(sql`delete from outbox where id = any(${published}::bigint[])`);
    return { read: rows.length, interrupted };
  });
  return batch.catch((error: unknown) => {
    // Another replica's relay has been publishing for longer than lock_timeout. It takes these events now, or we do at the next
    // pass.
    if ((error as { code?: unknown }).code === LOCK_NOT_AVAILABLE) return { read: 0, interrupted: true };
    throw error;
  });
}

function stillBackedOff(backedOff: Unroutable): string[] {
  const now = Date.now();
  return [...backedOff].filter(([, { until }]) => until > now).map(([aggregate]) => aggregate);
}

/** Publishes an aggregate's event when the event before it is confirmed. Aggregates do not wait for each other. */
async function publishInOrder(deps: Omit<Relaying, 'db'>, backedOff: Unroutable, rows: OutboxRow[]) {
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
        await publish(deps, event);
      } catch (error) {
        if (!(error instanceof PublishError)) throw error;
        if (error.reason === 'unavailable' || error.reason === 'timeout') interrupted = true;
        else backOff(deps.log, backedOff, event, error.reason);
        return;
      }
      published.push(event.id);
      backedOff.delete(aggregate);
    }
  };
  const aggregates = Map.groupBy(rows, (row) => row.aggregate_id);
  await Promise.all([...aggregates].map(([aggregate, events]) => publishAll(aggregate, events)));
  return { published, interrupted };
}

function publish({ broker, sign }: Omit<Relaying, 'db'>, event: OutboxRow): Promise<void> {
  const content = Buffer.from(event.envelope);
  // The span of publishing becomes a child of the request that caused the event.
  return context.with(propagation.extract(ROOT_CONTEXT, event.headers), () =>
    broker.publish({
      exchange: eventsExchange(broker.prefix),
      routingKey: event.routing_key,
      content,
      messageId: event.event_id,
      // Signed now and not when it was written, so that nothing waits with a signature of a key that is turned over.
      headers: { ...event.headers, ...sign(content) },
    }),
  );
}

function backOff(log: Log, backedOff: Unroutable, event: OutboxRow, reason: string): void {
  const before = backedOff.get(event.aggregate_id)?.delayMs ?? 0;
  const delayMs = Math.min(Math.max(before * 2, FIRST_BACK_OFF_MS), LAST_BACK_OFF_MS);
  backedOff.set(event.aggregate_id, { until: Date.now() + delayMs, delayMs });
  log.error(
    { event: 'event_held', eventId: event.event_id, type: event.type, reason },
    'no queue took the event; it and later ones of its aggregate wait',
  );
}
