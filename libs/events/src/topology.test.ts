import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { routingKeyOf } from '@cobro/contracts/event-routing.ts';
import { eventData } from '@cobro/contracts/events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { silentLog } from '@cobro/testing/silent-log.ts';
import { consumers, type TestBroker, testBroker } from '@cobro/testing/test-broker.ts';
import { until } from '@cobro/testing/until.ts';
import { connect } from 'amqplib';
import { type Broker, openBroker } from './broker.ts';
import { listParked } from './parked.ts';
import { declareTopology, eventsExchange, RETRY_DELAYS_MS, retryQueue } from './topology.ts';

let topology: TestBroker;
let broker: Broker;

beforeAll(async () => {
  topology = await testBroker();
  broker = openBroker({ ...topology, name: 'test', log: silentLog });
  await until('connected', () => broker.ready());
});

afterAll(async () => {
  await broker.close();
  await topology.drop();
});

const publish = (routingKey: string, exchange = eventsExchange(topology.prefix)) =>
  broker.publish({ exchange, routingKey, content: Buffer.from('{}'), messageId: routingKey, headers: {} });

describe('the topology', () => {
  test('can be declared again', async () => {
    await expect(declareTopology({ ...topology, consumers })).resolves.toBeUndefined();
  });

  test('has a queue for every event that there is, and for those to come', async () => {
    for (const type of [...Object.keys(eventData), 'SomethingNew']) {
      await expect(publish(type)).resolves.toBeUndefined();
    }
  });

  test('takes to intents the outcomes of payments that were made for an intent, and no others', async () => {
    const connection = await connect(topology.url);
    const channel = await connection.createChannel();
    const queue = `${topology.prefix}intents`;
    await channel.purgeQueue(queue);
    const types = ['PaymentConfirmed', 'PaymentDeclined', 'PaymentRefunded'];
    for (const type of types) {
      for (const paymentIntentId of [null, undefined, newId()])
        await publish(routingKeyOf({ type, data: { paymentIntentId } }));
    }
    const got: string[] = [];
    await channel.consume(queue, (message) => got.push(message?.fields.routingKey ?? ''), { noAck: true });
    await until('they have come', () => got.length >= types.length);
    expect(got).toEqual(types.map((type) => `${type}.intent`));
    await connection.close();
  });

  test('has a retry queue for every step of the ladder', async () => {
    for (const delayMs of RETRY_DELAYS_MS) {
      await expect(publish(retryQueue(`${topology.prefix}payments`, delayMs), '')).resolves.toBeUndefined();
    }
  });

  test('parks a message that its consumers die with again and again', async () => {
    const connection = await connect(topology.url);
    const channel = await connection.createChannel();
    await channel.purgeQueue(`${topology.prefix}holds`);
    await publish('HoldPlaced');
    let deliveries = 0;
    await channel.consume(`${topology.prefix}holds`, (message) => {
      deliveries += 1;
      if (message !== null) channel.reject(message, true);
    });
    await until('parked', async () => (await listParked(topology)).length === 1);
    expect(deliveries).toBe(21);
    expect(await listParked(topology)).toMatchObject([{ queue: `${topology.prefix}holds`, failures: 0, reason: null }]);
    await connection.close();
  });
});
