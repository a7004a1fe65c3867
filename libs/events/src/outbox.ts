import { routingKeyOf } from '@cobro/contracts/event-routing.ts';
import type { Envelope } from '@cobro/contracts/events.ts';
import { gaugeOf } from '@cobro/metrics/instruments.ts';
import { traceHeaders } from '@cobro/metrics/trace-headers.ts';
import { type Database, type Sql, sql, type Tx } from '@cobro/postgres/database.ts';
import { openListener } from '@cobro/postgres/listener.ts';
import type { Relaying, StoredEvent } from './publish-event.ts';
import { startRelay } from './relay.ts';
import { LEFT_AFTER_S } from './relay-batch.ts';
import { relayFromMemory } from './relay-from-memory.ts';

export interface Outbox {
  /**
   * Stores the event in the transaction of the change that the event is about. After the commit the relay publishes it at once. Lock
   * the aggregate's row first: only then do an aggregate's events have the order of its changes.
   */
  append(tx: Tx, event: Envelope): void;
  /** The same inside a larger statement, which must lock the aggregate's row in the version that was read. */
  writing(event: Envelope): EventToWrite;
  /** Publishes what has committed and stops. Without broker or database the events stay for the next start or another replica. */
  stop(): Promise<void>;
}

/** An event that a larger statement writes. */
interface EventToWrite {
  /** The `insert`, which writes nothing if `from` is empty. Gives a row that `committed` takes. */
  insertFrom(from: Sql): Sql;
  /** Has to be called after the commit. */
  committed(written: Written): void;
}

/** A row of the outbox: its id, and the ids of its aggregate's events that were in the outbox before it. */
interface Written {
  id: bigint | number;
  ahead: string[];
}

export interface OutboxOptions extends Relaying {
  /** The database's address and schema, for a connection that receives other processes' notices. */
  url: string;
  schema: string;
  pollMs?: number;
  lastPassesMs?: number;
}

type NewEvent = Omit<StoredEvent, 'id'>;

/** Follows the schema in the channel's name. */
const CHANNEL = '_outbox';

const asStored = (event: Envelope): NewEvent => ({
  event_id: event.id,
  aggregate_id: event.subject,
  type: event.type,
  routing_key: routingKeyOf(event),
  envelope: JSON.stringify(event),
  headers: traceHeaders(),
});

/** Gives `Written`. */
const insertEvent = (event: NewEvent, ageS: number, from = sql``) => sql`
  insert into outbox (event_id, aggregate_id, type, routing_key, envelope, headers, created_at)
  select ${event.event_id}::uuid, ${event.aggregate_id}::text, ${event.type}::text, ${event.routing_key}::text,
    ${event.envelope}::text, ${JSON.stringify(event.headers)}::jsonb, clock_timestamp() - make_interval(secs => ${ageS}) ${from}
  returning id, array(
    select earlier.event_id from outbox as earlier where earlier.aggregate_id = outbox.aggregate_id) as ahead`;

/**
 * For a process without a relay, such as an operator's command. It notifies the service's relays. They read the event at once,
 * because its row is dated back by the age from which they read the table.
 */
export function appendToOutbox(tx: Tx, event: Envelope): void {
  tx.send(insertEvent(asStored(event), LEFT_AFTER_S));
  tx.send(sql`select pg_notify(current_schema() || ${CHANNEL}::text, '')`);
}

export function writingEvent(event: Envelope, publish: (stored: NewEvent, written: Written) => void): EventToWrite {
  const stored = asStored(event);
  return { insertFrom: (from) => insertEvent(stored, 0, from), committed: (written) => publish(stored, written) };
}

/** The outbox of one schema with its relay. Any number of processes may open one on the same schema. */
export function openOutbox(options: OutboxOptions): Outbox {
  const { db, url, schema, log, pollMs = 1_000, lastPassesMs = 2_000 } = options;
  const memory = relayFromMemory(options);
  const relay = startRelay({ ...options, memory, pollMs, lastPassesMs });
  // When listening begins, `onGap` has the relay read what earlier notices were about.
  const listener = openListener({
    url,
    name: schema,
    channel: `${schema}${CHANNEL}`,
    onNotice: relay.nudge,
    onGap: relay.nudge,
    log,
  });
  gaugeOf('cobro.outbox.age.seconds', () => ageOfOutbox(db));
  const publish = (stored: NewEvent, { id, ahead }: Written) => memory.add({ id: BigInt(id), ...stored }, ahead);
  return {
    append: (tx, event) => {
      const stored = asStored(event);
      const inserted = tx.one<Written>(insertEvent(stored, 0));
      // A failed insert fails the transaction.
      inserted.catch(() => {});
      tx.afterCommit(() => void inserted.then((written) => publish(stored, written)));
    },
    writing: (event) => writingEvent(event, publish),
    stop: async () => void (await Promise.all([listener.close(), relay.stop()])),
  };
}

/** Seconds since the oldest waiting event was written; 0 if none waits. The smallest id may be a little younger than others. */
async function ageOfOutbox(db: Database): Promise<number> {
  const oldest = await db.maybe<{ age: number }>(sql`
    select date_part('epoch', clock_timestamp() - created_at) as age from outbox order by id limit 1`);
  return oldest?.age ?? 0;
}
