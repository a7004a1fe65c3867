import { routingKeyOf } from '@cobro/contracts/event-routing.ts';
import type { Envelope } from '@cobro/contracts/events.ts';
import { gaugeOf } from '@cobro/metrics/instruments.ts';
import { traceHeaders } from '@cobro/metrics/trace-headers.ts';
import { type Database, sql, type Tx } from '@cobro/postgres/database.ts';
import { openListener } from '@cobro/postgres/listener.ts';
import type { Relaying, StoredEvent } from './publish-event.ts';
import { startRelay } from './relay.ts';
import { LEFT_AFTER_S } from './relay-batch.ts';
import { relayFromMemory } from './relay-from-memory.ts';

export interface Outbox {
  /**
   * Stores the event in the transaction of the change that the event tells of. After the commit the relay publishes it at once. Lock
   * the aggregate's row before. Only then do an aggregate's events have the order of its changes.
   */
  append(tx: Tx, event: Envelope): void;
  /** Publishes what has committed and stops. Without broker or database the events stay for the next start or another replica. */
  stop(): Promise<void>;
}

export interface OutboxOptions extends Relaying {
  /** The database's address and schema, for a connection on which notices of other processes are heard. */
  url: string;
  schema: string;
  pollMs?: number;
  lastPassesMs?: number;
}

type NewEvent = Omit<StoredEvent, 'id'>;

/** Stands behind the schema's name. */
const CHANNEL = '_outbox';

const asStored = (event: Envelope): NewEvent => ({
  event_id: event.id,
  aggregate_id: event.subject,
  type: event.type,
  routing_key: routingKeyOf(event),
  envelope: JSON.stringify(event),
  headers: traceHeaders(),
});

/** Gives the row's id and the events of the aggregate that are still in the outbox. */
const insertEvent = (event: NewEvent, ageS: number) => sql`
  insert into outbox (event_id, aggregate_id, type, routing_key, envelope, headers, created_at)
  values (${event.event_id}, ${event.aggregate_id}, ${event.type}, ${event.routing_key}, ${event.envelope},
    ${JSON.stringify(event.headers)}, clock_timestamp() - make_interval(secs => ${ageS}))
  returning id, array(
    select earlier.event_id from outbox as earlier where earlier.aggregate_id = outbox.aggregate_id) as behind`;

/**
 * For a process without a relay, such as an operator's command. The services' relays are notified. They read the event at once,
 * because it is as old as one that no memory has.
 */
export function appendToOutbox(tx: Tx, event: Envelope): void {
  tx.send(insertEvent(asStored(event), LEFT_AFTER_S));
  tx.send(sql`select pg_notify(current_schema() || ${CHANNEL}::text, '')`);
}

/** The outbox of one schema with its relay. Any number of processes may open one on the same schema. */
export function openOutbox(options: OutboxOptions): Outbox {
  const { db, url, schema, log, pollMs = 1_000, lastPassesMs = 2_000 } = options;
  const memory = relayFromMemory(options);
  const relay = startRelay({ ...options, memory, pollMs, lastPassesMs });
  // What was notified while nobody heard it is read when listening begins.
  const listener = openListener({
    url,
    name: schema,
    channel: `${schema}${CHANNEL}`,
    onNotice: relay.nudge,
    onGap: relay.nudge,
    log,
  });
  gaugeOf('cobro.outbox.age.seconds', () => ageOfOutbox(db));
  return {
    append: (tx, event) => {
      const stored = asStored(event);
      const inserted = tx.one<{ id: bigint; behind: string[] }>(insertEvent(stored, 0));
      // A failed insert fails the transaction.
      inserted.catch(() => {});
      tx.afterCommit(() => void inserted.then(({ id, behind }) => memory.add({ id, ...stored }, behind)));
    },
    stop: async () => void (await Promise.all([listener.close(), relay.stop()])),
  };
}

/** Seconds since the oldest event that waits was written; 0 where none waits. The smallest id may be a little younger than others. */
async function ageOfOutbox(db: Database): Promise<number> {
  const oldest = await db.maybe<{ age: number }>(sql`
    select date_part('epoch', clock_timestamp() - created_at) as age from outbox order by id limit 1`);
  return oldest?.age ?? 0;
}
