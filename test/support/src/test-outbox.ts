import { routingKeyOf } from '@cobro/contracts/event-routing.ts';
import type { Envelope } from '@cobro/contracts/events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { Secret } from '@cobro/contracts/secret.ts';
import { type Broker, openBroker } from '@cobro/events/broker.ts';
import { createEventSigner, createSignatureCheck } from '@cobro/events/event-signature.ts';
import { eventsMigrations } from '@cobro/events/migrations.ts';
import { openOutbox, type Outbox } from '@cobro/events/outbox.ts';
import { eventsExchange } from '@cobro/events/topology.ts';
import { type Database, openPatiently, sql } from '@cobro/postgres/database.ts';
import { type ConsumeMessage, connect } from 'amqplib';
import { generateKeys } from './keys.ts';
import { silentLog } from './silent-log.ts';
import { testBrokerNames } from './test-broker.ts';
import { testDatabase } from './test-database.ts';
import { testEvent } from './test-event.ts';

/** One replica: its own pool, its own connections to the broker, its own relay. */
export interface Replica {
  db: Database;
  broker: Broker;
  outbox: Outbox;
}

export interface ReplicaOptions {
  brokerUrl?: string;
  pollMs?: number;
  /** Replaces the database that the outbox uses. */
  outboxDb?: (pool: Database) => Database;
}

export type TestOutbox = Awaited<ReturnType<typeof testOutbox>>;

/** A schema with an outbox, its relays and its listeners. */
export async function testOutbox() {
  const { url: brokerUrl } = testBrokerNames();
  const keys = generateKeys();
  const sign = createEventSigner(new Secret(JSON.parse(keys.signingKey('payments'))));
  const database = await testDatabase({ name: 'payments', migrations: [eventsMigrations] });
  const schema = { url: database.url, schema: 'payments' };
  const db = openPatiently(schema);
  /** Steps of `cleanUp`, the last one first. */
  const undo: (() => Promise<unknown>)[] = [];
  /** An exchange of its own and a queue, not bound yet. */
  const withQueue = () => openQueue(brokerUrl, undo);
  return {
    database,
    db,
    brokerUrl,
    checkSignature: createSignatureCheck(JSON.parse(keys.shared['INTERNAL_VERIFY_KEYS'] ?? '')),
    withQueue,
    withBoundQueue: async () => {
      const queue = await withQueue();
      await queue.bind('#');
      return queue;
    },
    replica: (prefix: string, options: ReplicaOptions = {}): Replica => {
      const pool = openPatiently(schema);
      const broker = openBroker({
        url: options.brokerUrl ?? brokerUrl,
        name: 'test',
        prefix,
        confirmTimeoutMs: 60_000,
        log: silentLog,
      });
      const { pollMs = 1_000, outboxDb = (same: Database) => same } = options;
      const relaying = { db: outboxDb(pool), broker, sign, log: silentLog };
      const outbox = openOutbox({ ...schema, ...relaying, pollMs, lastPassesMs: 30_000 });
      undo.push(async () => {
        await outbox.stop();
        await broker.close();
        await pool.close();
      });
      return { db: pool, broker, outbox };
    },
    /** Leaves an event as a process does that dies after its commit. */
    leave: (event: Envelope) =>
      db.run(sql`
        insert into outbox (event_id, aggregate_id, type, routing_key, envelope, headers)
        values (${event.id}, ${event.subject}, ${event.type}, ${routingKeyOf(event)}, ${JSON.stringify(event)}, '{}')`),
    left: async () => Number((await db.one<{ n: bigint }>(sql`select count(*) as n from outbox`)).n),
    undo,
    cleanUp: async () => {
      for (const step of undo.splice(0).toReversed()) await step();
      await db.run(sql`delete from outbox`);
    },
    drop: async () => {
      await db.close();
      await database.drop();
    },
  };
}

async function openQueue(brokerUrl: string, undo: (() => Promise<unknown>)[]) {
  const { prefix } = testBrokerNames();
  const connection = await connect(brokerUrl);
  undo.push(() => connection.close());
  const channel = await connection.createChannel();
  const exchange = eventsExchange(prefix);
  await channel.assertExchange(exchange, 'topic');
  undo.push(() => channel.deleteExchange(exchange));
  const { queue } = await channel.assertQueue('', { exclusive: true });
  const received: ConsumeMessage[] = [];
  await channel.consume(queue, (message) => void (message && received.push(message)), { noAck: true });
  return { prefix, received, bind: (pattern: string) => channel.bindQueue(queue, exchange, pattern) };
}

export const commit = (from: Replica, ...events: Envelope[]) =>
  from.db.inTransaction(async (tx) => {
    for (const event of events) from.outbox.append(tx, event);
  });

export const confirmed = (subject: string = newId(), sequence = 1) =>
  testEvent('PaymentConfirmed', { subject, sequence: String(sequence) });
export const idsOf = (messages: ConsumeMessage[]) => messages.map((message) => String(message.properties.messageId));
export const envelopeOf = (message: ConsumeMessage) => JSON.parse(message.content.toString()) as Envelope;
export const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

/** The sequences of an aggregate in the order in which they first came. */
export function firstSequences(messages: ConsumeMessage[], subject: string): number[] {
  const events = messages.map(envelopeOf).filter((event) => event.subject === subject);
  return [...new Set(events.map((event) => Number(event.sequence)))];
}
