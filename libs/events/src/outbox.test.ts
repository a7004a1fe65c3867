import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { Secret } from '@cobro/contracts/secret.ts';
import type { Envelope } from '@cobro/contracts/events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { type Database, openPatiently, sql } from '@cobro/postgres/database.ts';
import { generateKeys } from '@cobro/testing/keys.ts';
import { silentLog } from '@cobro/testing/silent-log.ts';
import { proxyTo } from '@cobro/testing/tcp-proxy.ts';
import { testBrokerNames } from '@cobro/testing/test-broker.ts';
import { makeReadOnly, type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { testEvent } from '@cobro/testing/test-event.ts';
import { until } from '@cobro/testing/until.ts';
import { context, propagation, type TextMapPropagator } from '@opentelemetry/api';
import { type ConsumeMessage, connect } from 'amqplib';
import { openBroker } from './broker.ts';
import { createEventSigner, createSignatureCheck } from './event-signature.ts';
import { eventsMigrations } from './migrations.ts';
import { appendToOutbox, openOutbox, type Outbox } from './outbox.ts';
import { BATCH } from './relay-batch.ts';
import { eventsExchange } from './topology.ts';

let database: TestDatabase;
let db: Database;
const { url: brokerUrl } = testBrokerNames();
const keys = generateKeys();
const sign = createEventSigner(new Secret(JSON.parse(keys.signingKey('payments'))));
const checkSignature = createSignatureCheck(JSON.parse(keys.shared['INTERNAL_VERIFY_KEYS'] ?? ''));
const undo: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  database = await testDatabase({ name: 'payments', migrations: [eventsMigrations] });
  db = openPatiently({ url: database.url, schema: 'payments' });
});

afterAll(async () => {
  await db.close();
  await database.drop();
});

afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
  await db.run(sql`delete from outbox`);
});

/** An exchange of its own and a queue, not bound yet. */
async function withQueue() {
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

async function withBoundQueue() {
  const bound = await withQueue();
  await bound.bind('#');
  return bound;
}

interface Replica {
  db: Database;
  outbox: Outbox;
}

/** One replica: its own pool, its own connections to the broker, its own relay. */
function replica(prefix: string, url = brokerUrl): Replica {
  const pool = openPatiently({ url: database.url, schema: 'payments' });
  const broker = openBroker({ url, name: 'test', prefix, log: silentLog });
  const outbox = openOutbox({ db: pool, broker, sign, log: silentLog, lastPassesMs: 30_000 });
  undo.push(async () => {
    await outbox.stop();
    await broker.close();
    await pool.close();
  });
  return { db: pool, outbox };
}

const commit = (from: Replica, ...events: Envelope[]) =>
  from.db.inTransaction(async (tx) => {
    for (const event of events) from.outbox.append(tx, event);
  });

const confirmed = (subject: string = newId(), sequence = 1) =>
  testEvent('PaymentConfirmed', { subject, sequence: String(sequence) });
const left = async () => Number((await db.one<{ n: bigint }>(sql`select count(*) as n from outbox`)).n);
const idsOf = (messages: ConsumeMessage[]) => messages.map((message) => String(message.properties.messageId));
const envelopeOf = (message: ConsumeMessage) => JSON.parse(message.content.toString()) as Envelope;
const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

/** The sequences of an aggregate in the order in which they first came. */
function firstSequences(messages: ConsumeMessage[], subject: string): number[] {
  const events = messages.map(envelopeOf).filter((event) => event.subject === subject);
  return [...new Set(events.map((event) => Number(event.sequence)))];
}

describe('the outbox', () => {
  test('sends a committed event as it is and forgets it', async () => {
    const { prefix, received } = await withBoundQueue();
    const sent = confirmed();
    await commit(replica(prefix), sent);
    await until('received', () => received.length === 1);
    const [message] = received as [ConsumeMessage];
    expect(envelopeOf(message)).toEqual(sent);
    expect(message.fields.routingKey).toBe('PaymentConfirmed.other');
    expect(() => checkSignature(sent, message)).not.toThrow();
    const contentType = 'application/cloudevents+json';
    expect(message.properties).toMatchObject({ messageId: sent.id, contentType, deliveryMode: 2 });
    await until('forgotten', async () => (await left()) === 0);
  });

  test('sends nothing of a transaction that was rolled back', async () => {
    const { prefix, received } = await withBoundQueue();
    const payments = replica(prefix);
    const rolledBack = payments.db.inTransaction(async (tx) => {
      payments.outbox.append(tx, confirmed());
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    const after = confirmed();
    await commit(payments, after);
    await until('received', () => received.length > 0);
    expect(idsOf(received)).toEqual([after.id]);
  });

  test('sends nothing while its database takes only reads, because it could not forget it, and all of it once afterwards', async () => {
    const { prefix, received } = await withBoundQueue();
    const events = [confirmed(), confirmed()];
    await db.inTransaction(async (tx) => events.forEach((event) => appendToOutbox(tx, event)));
    const { username, pathname } = new URL(database.url);
    const restore = await makeReadOnly(pathname.slice(1), decodeURIComponent(username));
    replica(prefix);
    await sleep(2_000);
    expect(received).toEqual([]);
    await restore();
    await until('forgotten', async () => (await left()) === 0);
    await until('received', () => received.length >= events.length);
    expect(idsOf(received).toSorted()).toEqual(events.map(({ id }) => id).toSorted());
  });

  test('keeps the trace context of the request and puts it on the message', async () => {
    const { prefix, received } = await withBoundQueue();
    propagation.setGlobalPropagator({
      inject: (_context, carrier, setter) => setter.set(carrier, 'traceparent', '00-aa-bb-01'),
      extract: () => context.active(),
      fields: () => ['traceparent'],
    } satisfies TextMapPropagator);
    undo.push(async () => propagation.disable());
    await commit(replica(prefix), confirmed());
    await until('received', () => received.length === 1);
    expect(received[0]?.properties.headers).toMatchObject({ traceparent: '00-aa-bb-01' });
  });

  test('sends what another process left behind, without being told', async () => {
    const { prefix, received } = await withBoundQueue();
    replica(prefix);
    const orphan = confirmed();
    await db.inTransaction(async (tx) => appendToOutbox(tx, orphan));
    await until('received', () => received.length === 1);
    expect(idsOf(received)).toEqual([orphan.id]);
  });

  test('sends what committed before it was stopped', async () => {
    const { prefix, received } = await withBoundQueue();
    const payments = replica(prefix);
    await commit(payments, confirmed());
    await until('connected', () => received.length === 1);
    const events = upTo(BATCH + 100).map(() => confirmed());
    await commit(payments, ...events);
    await payments.outbox.stop();
    expect(await left()).toBe(0);
    await until('received', () => received.length === events.length + 1);
  });

  test('keeps the order of each aggregate while two relays compete, and sends each event once', async () => {
    const { prefix, received } = await withBoundQueue();
    const replicas = [replica(prefix), replica(prefix)] as const;
    const subjects = upTo(20).map(() => newId());
    await Promise.all(
      subjects.map(async (subject) => {
        for (const n of upTo(40)) await commit(replicas[n % 2 === 0 ? 0 : 1], confirmed(subject, n));
      }),
    );
    await until('sent', async () => (await left()) === 0);
    await until('received', () => received.length >= 800);
    for (const subject of subjects) expect(firstSequences(received, subject)).toEqual(upTo(40));
    expect(received).toHaveLength(800);
  });

  test('waits for a broker that was not there at the start', async () => {
    const { prefix, received } = await withBoundQueue();
    const proxy = await proxyTo(brokerUrl);
    undo.push(() => proxy.cut());
    const payments = replica(prefix, proxy.url);
    const sent = [confirmed(), confirmed(), confirmed()];
    for (const event of sent) await commit(payments, event);
    await sleep(500);
    expect(received).toHaveLength(0);
    await proxy.restore();
    await until('received', () => received.length === 3);
    expect(new Set(idsOf(received))).toEqual(new Set(sent.map(({ id }) => id)));
  });

  test('loses nothing and keeps the order when the connection breaks again and again', async () => {
    const { prefix, received } = await withBoundQueue();
    const proxy = await proxyTo(brokerUrl);
    await proxy.restore();
    undo.push(() => proxy.cut());
    const payments = replica(prefix, proxy.url);
    const subjects = upTo(10).map(() => newId());
    const writing = Promise.all(
      subjects.map(async (subject) => {
        for (const n of upTo(100)) {
          await commit(payments, confirmed(subject, n));
          await sleep(5);
        }
      }),
    );
    for (let cuts = 0; cuts < 4; cuts++) {
      await sleep(200);
      await proxy.cut();
      await proxy.restore();
    }
    await writing;
    await until('sent', async () => (await left()) === 0);
    await until('received', () => subjects.every((subject) => firstSequences(received, subject).length === 100));
    for (const subject of subjects) expect(firstSequences(received, subject)).toEqual(upTo(100));
  });

  test('goes on after its database connection was ended in the middle of a batch', async () => {
    const { prefix, received } = await withBoundQueue();
    const payments = replica(prefix);
    const subject = newId();
    for (const n of upTo(200)) {
      await commit(payments, confirmed(subject, n)).catch(() => {});
      if (n % 50 !== 0) continue;
      await db.run(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and wait_event = 'ClientRead'`);
    }
    await until('sent', async () => (await left()) === 0);
    const sequences = firstSequences(received, subject);
    expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
    expect(sequences.length).toBeGreaterThan(150);
  });
});

describe('an event that no queue takes', () => {
  test('stays, holds up only later events of its aggregate, and goes when there is a queue', async () => {
    const { prefix, received, bind } = await withQueue();
    await bind('HoldPlaced');
    const payments = replica(prefix);
    const subject = newId();
    await commit(payments, confirmed(subject, 1), testEvent('HoldPlaced', { subject, sequence: '2' }));
    const other = testEvent('HoldPlaced');
    await commit(payments, other);
    await until('the other one received', () => received.length === 1);
    expect(idsOf(received)).toEqual([other.id]);
    await until('forgotten', async () => (await left()) === 2);
    await bind('PaymentConfirmed.#');
    await until('received', () => received.length === 3);
    expect(firstSequences(received, subject)).toEqual([1, 2]);
  });

  test('does not hold up other aggregates, even when more of them wait than a batch holds', async () => {
    const { prefix, received, bind } = await withQueue();
    await bind('PaymentConfirmed.#');
    const unroutable = upTo(BATCH + 100).map(() => testEvent('HoldPlaced'));
    const routable = confirmed();
    await commit(replica(prefix), ...unroutable, routable);
    await until('received', () => received.length === 1);
    expect(idsOf(received)).toEqual([routable.id]);
    await until('forgotten', async () => (await left()) === unroutable.length);
  });
});
