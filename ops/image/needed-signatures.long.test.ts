import { createSignatureCheck } from '@cobro/events/event-signature.ts';
import { openBroker } from '@cobro/events/broker.ts';
import { eventsMigrations } from '@cobro/events/migrations.ts';
import { listParked, retryParked } from '@cobro/events/parked.ts';
import { receiveInto } from '@cobro/events/inbox.ts';
import { subscribe } from '@cobro/events/subscribe.ts';
import { consumerQueue, deadLetterExchange, retryQueue } from '@cobro/events/topology.ts';
import { openPatiently, sql } from '@cobro/postgres/database.ts';
import { generateKeys, type Keys as GeneratedKeys } from '@cobro/testing/keys.ts';
import { silentLog } from '@cobro/testing/silent-log.ts';
import { type TestBroker, testBroker } from '@cobro/testing/test-broker.ts';
import { testDatabase } from '@cobro/testing/test-database.ts';
import { testEvent } from '@cobro/testing/test-event.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type ConfirmChannel, type ChannelModel, connect } from 'amqplib';
import { refuseWhileNeeded } from './needed-signatures.ts';
import type { Jwk } from './turn-key.ts';

const [old, fresh] = [generateKeys(), generateKeys()];
const jwkOf = (keys: GeneratedKeys) => JSON.parse(keys.signingKey('payments')) as Jwk;
const believed = (...all: GeneratedKeys[]) =>
  createSignatureCheck({
    keys: all.flatMap(({ shared }) => (JSON.parse(shared['INTERNAL_VERIFY_KEYS'] ?? '') as { keys: Jwk[] }).keys),
  });

let broker: TestBroker;
let connection: ChannelModel;
let channel: ConfirmChannel;
beforeAll(async () => {
  broker = await testBroker();
  connection = await connect(broker.url);
  channel = await connection.createConfirmChannel();
});
afterAll(async () => {
  await connection?.close();
  await broker?.drop();
});

const queue = () => consumerQueue(broker.prefix, 'holds');
const drop = () => refuseWhileNeeded(broker, 'payments', jwkOf(old));

async function send(keys: GeneratedKeys, to: { exchange: string; routingKey: string }) {
  const event = testEvent('HoldPlaced');
  const { content, headers } = keys.signed(event);
  channel.publish(to.exchange, to.routingKey, content, { messageId: event.id, persistent: true, headers });
  await channel.waitForConfirms();
  return event;
}

/** A follower named holds with an inbox of its own, which believes these keys. */
async function follow(...all: GeneratedKeys[]) {
  const database = await testDatabase({ name: 'holds', migrations: [eventsMigrations] });
  const db = openPatiently({ url: database.url, schema: 'holds' });
  const own = openBroker({ ...broker, name: 'test', log: silentLog });
  const handlers = { HoldPlaced: async () => {} };
  const subscription = subscribe({
    broker: own,
    queue: 'holds',
    receive: receiveInto(db, handlers),
    checkSignature: believed(...all),
    log: silentLog,
  });
  return {
    hasApplied: async ({ id }: { id: string }) =>
      (await db.many(sql`select from inbox where event_id = ${id}`)).length === 1,
    stop: async () => {
      await subscription.stop();
      await own.close();
      await db.close();
      await database.drop();
    },
  };
}

describe('the key with which payments has signed events is not dropped', () => {
  beforeEach(async () => {
    for (const name of [queue(), retryQueue(queue(), 600_000), `${broker.prefix}parked`])
      await channel.purgeQueue(name);
  });

  test('while one waits for a follower that is away; when the follower has applied it, only the new key is needed', async () => {
    const waiting = await send(old, { exchange: '', routingKey: queue() });
    await expect(drop()).rejects.toThrow(`wait in ${queue()}`);
    const both = await follow(old, fresh);
    await until('it is applied', () => both.hasApplied(waiting));
    await drop();
    await both.stop();
    const one = await follow(fresh);
    const next = await send(fresh, { exchange: '', routingKey: queue() });
    await until('the next one is applied', () => one.hasApplied(next));
    await one.stop();
    expect(await listParked(broker)).toEqual([]);
  });

  test('while one waits for another attempt', async () => {
    await send(old, { exchange: '', routingKey: retryQueue(queue(), 600_000) });
    await expect(drop()).rejects.toThrow('retry.600000');
  });

  test('while one is parked; one of another key and a forgery do not matter', async () => {
    const parked = { exchange: deadLetterExchange(broker.prefix), routingKey: queue() };
    await send(fresh, parked);
    await send(generateKeys(), parked);
    await drop();
    const event = await send(old, parked);
    await expect(drop()).rejects.toThrow('has signed 1 parked event');
    const both = await follow(old, fresh);
    await retryParked(broker, event.id);
    await until('it is applied', () => both.hasApplied(event));
    await both.stop();
    await drop();
  });

  test('nothing is asked about a service that publishes nothing', async () => {
    await send(old, { exchange: '', routingKey: queue() });
    const nowhere = { url: 'amqp://127.0.0.1:1', prefix: '' };
    await expect(refuseWhileNeeded(nowhere, 'reporting', jwkOf(old))).resolves.toBeUndefined();
  });
});
