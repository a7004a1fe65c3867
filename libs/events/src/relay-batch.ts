import { backOff } from '@cobro/async/time-limit.ts';
import { sql } from '@cobro/postgres/database.ts';
import type { Log } from './log.ts';
import { publishEvent, type Relaying, type StoredEvent } from './publish-event.ts';
import { PublishError } from './publisher.ts';

/**
 * Aggregates whose next event no queue took. They are tried again at `until` (ms of the epoch); other aggregates go on meanwhile.
 */
export type Unroutable = Map<string, { until: number; tries: number }>;

export interface BatchResult {
  read: number;
  /** True if the broker broke off or took too long, so that some of the events that were read are still in the outbox. */
  interrupted: boolean;
}

export const BATCH = 500;
/** From this age on the relay reads an event from the outbox. */
export const LEFT_AFTER_S = 2;
/** Well below the limit for an idle transaction (10 s), because the transaction waits while the events are published. */
const PUBLISH_WITHIN_MS = 4_000;
const LOCK_NOT_AVAILABLE = '55P03';
const LONGEST_DELAY_MS = 30_000;
const delayAfter = backOff(1_000, LONGEST_DELAY_MS);

export interface Reading {
  olderThanS: number;
  /** Aggregates that are left out. */
  besides: string[];
  /** False: looks for an event before taking the lock. */
  knownWork: boolean;
}

/**
 * Publishes the oldest events and deletes the confirmed ones, one process of a schema at a time. The lock belongs to the
 * transaction that deletes, so no broken session can leave it behind. If the process dies or the transaction runs again, the same
 * events are published again in the same order; consumers recognize them by their ids.
 */
export async function relayBatch(
  deps: Relaying,
  backedOff: Unroutable,
  { olderThanS, besides, knownWork }: Reading,
): Promise<BatchResult> {
  const waiting = sql`
    created_at <= clock_timestamp() - make_interval(secs => ${olderThanS})
    and aggregate_id <> all(${[...stillBackedOff(backedOff), ...besides]}::text[])`;
  if (!knownWork) {
    const look = sql`select exists (select from outbox where ${waiting}) as found`;
    if (!(await deps.db.one<{ found: boolean }>(look)).found) return { read: 0, interrupted: false };
  }
  const batch = deps.db.inTransaction(async (tx) => {
    // Waits for the lock (at most lock_timeout), because the other process may have read before the commit that notified us.
    // The commit does not wait for the disk: if a crash of the server undoes a delete, the events are published again.
    tx.send(sql`
      select pg_advisory_xact_lock(hashtextextended(current_schema() || '.outbox', 0)),
        set_config('synchronous_commit', 'off', true)`);
    // A database that takes only reads refuses here, before events are published that cannot be deleted.
    tx.send(sql`delete from outbox where false`);
    // Reads all remaining rows, because ids can become visible out of order.
    const rows = await tx.many<StoredEvent>(sql`
      select id, event_id, aggregate_id, type, routing_key, envelope, headers
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
  // Another process may have published what waited, so an entry that nothing has renewed is forgotten.
  for (const [aggregate, { until }] of backedOff) if (until < now - LONGEST_DELAY_MS) backedOff.delete(aggregate);
  return [...backedOff].filter(([, { until }]) => until > now).map(([aggregate]) => aggregate);
}

/** Publishes each event of an aggregate after the one before it is confirmed. Aggregates do not wait for each other. */
async function publishInOrder(deps: Omit<Relaying, 'db'>, backedOff: Unroutable, rows: StoredEvent[]) {
  const deadline = Date.now() + PUBLISH_WITHIN_MS;
  const published: bigint[] = [];
  let interrupted = false;
  const publishAll = async (aggregate: string, events: StoredEvent[]) => {
    for (const event of events) {
      if (interrupted || Date.now() > deadline) {
        interrupted = true;
        return;
      }
      try {
        await publishEvent(deps, event);
      } catch (error) {
        if (!(error instanceof PublishError)) throw error;
        if (error.reason === 'unavailable' || error.reason === 'timeout') interrupted = true;
        else tryLater(deps.log, backedOff, event, error.reason);
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

function tryLater(log: Log, backedOff: Unroutable, event: StoredEvent, reason: string): void {
  const tries = backedOff.get(event.aggregate_id)?.tries ?? 0;
  backedOff.set(event.aggregate_id, { until: Date.now() + delayAfter(tries), tries: tries + 1 });
  log.error(
    { event: 'event_held', eventId: event.event_id, type: event.type, reason },
    'no queue took the event; it and later ones of its aggregate wait',
  );
}
