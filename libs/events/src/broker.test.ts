import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { silentLog } from '@cobro/testing/silent-log.ts';
import { proxyTo, type TcpProxy } from '@cobro/testing/tcp-proxy.ts';
import { testBrokerNames } from '@cobro/testing/test-broker.ts';
import { until } from '@cobro/testing/until.ts';
import { type ChannelModel, connect } from 'amqplib';
import { type Broker, openBroker } from './broker.ts';

const { url, prefix } = testBrokerNames();
const queue = `${prefix}queue`;

let connection: ChannelModel;
let proxy: TcpProxy;
let broker: Broker;

beforeAll(async () => {
  connection = await connect(url);
  const channel = await connection.createChannel();
  await channel.assertQueue(queue, {
    exclusive: true,
    arguments: { 'x-max-length': 3, 'x-overflow': 'reject-publish' },
  });
});

afterAll(() => connection.close());

beforeEach(async () => {
  proxy = await proxyTo(url);
  await proxy.restore();
  await open();
});

async function open(confirmTimeoutMs = 60_000): Promise<void> {
  broker = openBroker({ url: proxy.url, name: 'test', prefix, confirmTimeoutMs, log: silentLog });
  await until('connected', () => broker.ready());
}

afterEach(async () => {
  await broker.close();
  await proxy.cut();
  await (await connection.createChannel()).purgeQueue(queue);
});

const publish = (routingKey = queue, exchange = '') =>
  broker.publish({ exchange, routingKey, content: Buffer.from('{}'), messageId: 'm', headers: {} });

describe('a publish', () => {
  test('fails where no queue takes the message, though the broker confirms it', async () => {
    const results = await Promise.allSettled([publish('nobody'), publish(), publish('nobody'), publish('nobody')]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'rejected']);
    await expect(publish('nobody')).rejects.toMatchObject({ reason: 'returned' });
  });

  test('fails where a queue is full, and succeeds when it is not any more', async () => {
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => publish()));
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    for (const { reason } of refused) expect(reason).toMatchObject({ reason: 'refused' });
    await (await connection.createChannel()).purgeQueue(queue);
    await expect(publish()).resolves.toBeUndefined();
  });

  test('that closes the channel fails, and the next ones succeed on another channel', async () => {
    await expect(publish('x', 'no such exchange')).rejects.toMatchObject({ reason: 'unavailable' });
    await until('another channel', () => broker.canPublish());
    await expect(publish()).resolves.toBeUndefined();
  });

  test('fails in time where the broker hangs, and goes on when it answers again', async () => {
    await broker.close();
    await open(500);
    proxy.hang();
    const begun = Date.now();
    await expect(publish()).rejects.toMatchObject({ reason: 'timeout' });
    expect(Date.now() - begun).toBeLessThan(10_000);
    proxy.resume();
    await until('it is published on another channel', () =>
      publish().then(
        () => true,
        () => false,
      ),
    );
  });

  test('of more messages than may be under way is confirmed for each', async () => {
    const sink = await connection.createChannel();
    const { queue: large } = await sink.assertQueue('', { exclusive: true });
    await Promise.all(Array.from({ length: 1_000 }, () => publish(large)));
    expect((await sink.checkQueue(large)).messageCount).toBe(1_000);
  });
});

describe('closing', () => {
  test('ends in time where the broker hangs', async () => {
    proxy.hang();
    const begun = Date.now();
    await broker.close();
    expect(Date.now() - begun).toBeLessThan(15_000);
  });

  test('ends at once where the broker was never there', async () => {
    await proxy.cut();
    const alone = openBroker({ url: proxy.url, name: 'test', prefix, log: silentLog });
    const consumer = alone.consume({ queue, prefetch: 1, onDelivery: () => {} });
    await sleep(200);
    expect(alone.ready()).toBe(false);
    expect(consumer.isConsuming()).toBe(false);
    const begun = Date.now();
    await alone.close();
    expect(Date.now() - begun).toBeLessThan(5_000);
  });
});

test('what a queue holds can be counted, also after somebody has asked for a queue that is not there', async () => {
  // Other connections may use this queue.
  const shared = `${prefix}shared`;
  const channel = await connection.createChannel();
  await channel.assertQueue(shared, { durable: false });
  const counted = () => broker.countReady(shared);
  await until('counted', async () => (await counted()) === 0);
  await publish(shared);
  await until('the message is counted', async () => (await counted()) === 1);
  await expect(broker.countReady(`${prefix}nothing`)).rejects.toThrow('NOT_FOUND');
  await until('counted again', async () => (await counted().catch(() => 0)) === 1);
  await channel.deleteQueue(shared);
});
