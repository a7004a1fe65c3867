import { routingKeysOf } from '@cobro/contracts/event-routing.ts';
import { eventTypes, producerOf } from '@cobro/contracts/events.ts';
import {
  consumerQueue,
  deadLetterExchange,
  declareTopology,
  eventsExchange,
  parkedQueue,
  RETRY_DELAYS_MS,
  retryQueue,
  returnsExchange,
} from '@cobro/events/topology.ts';
import { consumersOf } from '@cobro/frame/definition.ts';
import { brokerUrlOf } from '@cobro/testing/broker-address.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ChannelModel, type ConfirmChannel, connect } from 'amqplib';
import { definitions, type ServiceName, serviceNames } from '../../services/definitions.ts';
import { openRun, type Run } from './run.ts';
import type { Servers } from './servers/server.ts';
import { startServers } from './servers/start-servers.ts';
import { fromTestEnvironment } from './test-environment.ts';

const prefix = '';
const followers = definitions.filter(({ follows }) => follows.length > 0).map(({ name }) => name);
const queueOf = (service: string) => consumerQueue(prefix, service);
const [shortest = 0] = RETRY_DELAYS_MS;

// A given broker has one user, and rights by routing key are for names without a prefix, so this test starts its own.
(process.env['AMQP_URL'] ? describe.skip : describe)('a service’s own user of RabbitMQ', () => {
  let run: Run;
  let broker: Servers['rabbitmq'];
  const connections = new Map<string, ChannelModel>();
  beforeAll(async () => {
    run = openRun();
    const { postgres, redis } = fromTestEnvironment();
    const running = { postgres, redis };
    broker = (await startServers(run, { durable: false, virtualHosts: 1, running }, () => {})).rabbitmq;
    await declareTopology({ url: broker.url, prefix, consumers: consumersOf(definitions) });
    for (const service of serviceNames) connections.set(service, await connect(brokerUrlOf(broker, service)));
  });
  afterAll(async () => {
    await Promise.all([...connections.values()].map((connection) => connection.close()));
    await run?.stop();
  });

  /** The broker's reply to one thing that a service does: `done`, or the name of the refusal. */
  async function tried(service: string, act: (channel: ConfirmChannel) => unknown): Promise<string> {
    const channel = await connections.get(service)?.createConfirmChannel();
    if (channel === undefined) throw new Error(`${service} is not connected`);
    const refused = new Promise<string>((resolve) =>
      channel.on('error', ({ message }: Error) => resolve(/ACCESS_REFUSED/.exec(message)?.[0] ?? message)),
    );
    const done = (async () => {
      await act(channel);
      await channel.waitForConfirms();
      await channel.close();
      return 'done';
    })();
    return Promise.race([refused, done.catch(() => refused)]);
  }
  const publishes = (service: string, exchange: string, routingKey: string) =>
    tried(service, (channel) => channel.publish(exchange, routingKey, Buffer.from('{}')));

  test.each(serviceNames)('lets %s publish the types of event that it produces, and no others', async (service) => {
    for (const type of eventTypes) {
      const expected = producerOf(type) === service ? 'done' : 'ACCESS_REFUSED';
      for (const key of routingKeysOf(type)) {
        expect([key, await publishes(service, eventsExchange(prefix), key)]).toEqual([key, expected]);
      }
    }
    expect(await publishes(service, eventsExchange(prefix), 'Anything')).toBe('ACCESS_REFUSED');
  });

  test.each(serviceNames)('lets %s write to no queue past the exchanges', async (service) => {
    for (const queue of [...followers.map(queueOf), parkedQueue(prefix)])
      expect(await publishes(service, '', queue)).toBe('ACCESS_REFUSED');
  });

  test.each(serviceNames)('lets %s read its own queue and no other', async (service) => {
    for (const name of followers) {
      const expected = name === service ? 'done' : 'ACCESS_REFUSED';
      for (const read of [
        (channel: ConfirmChannel) => channel.consume(queueOf(name), () => {}),
        (channel: ConfirmChannel) => channel.get(queueOf(name)),
      ]) {
        expect([name, await tried(service, read)]).toEqual([name, expected]);
      }
      expect(await tried(service, (channel) => channel.get(retryQueue(queueOf(name), shortest)))).toBe(
        'ACCESS_REFUSED',
      );
    }
    expect(await tried(service, (channel) => channel.get(parkedQueue(prefix)))).toBe('ACCESS_REFUSED');
  });

  test.each(followers)('lets %s put events back into its own queues and park them in its own name', async (service) => {
    for (const name of followers) {
      const expected = name === service ? 'done' : 'ACCESS_REFUSED';
      for (const key of [queueOf(name), retryQueue(queueOf(name), shortest)]) {
        expect([key, await publishes(service, returnsExchange(queueOf(name)), key)]).toEqual([key, expected]);
      }
      expect([name, await publishes(service, deadLetterExchange(prefix), queueOf(name))]).toEqual([name, expected]);
    }
  });

  test.each(serviceNames)('lets %s count what waits and what is parked', async (service) => {
    for (const queue of [...followers.filter((name) => name === service).map(queueOf), parkedQueue(prefix)]) {
      expect(await tried(service, (channel) => channel.checkQueue(queue))).toBe('done');
    }
  });

  test.each(serviceNames)('lets %s change no exchange, no queue and no binding', async (service) => {
    const own = queueOf(service === 'gateway' ? 'payments' : service);
    const changes: ((channel: ConfirmChannel) => unknown)[] = [
      (channel) => channel.assertQueue(`${own}.mine`),
      (channel) => channel.assertQueue('', { exclusive: true }),
      (channel) => channel.assertExchange(`${own}.mine`, 'topic'),
      (channel) => channel.bindQueue(own, eventsExchange(prefix), '#'),
      (channel) => channel.bindQueue(parkedQueue(prefix), eventsExchange(prefix), '#'),
      (channel) => channel.purgeQueue(parkedQueue(prefix)),
      (channel) => channel.unbindQueue(own, eventsExchange(prefix), '#'),
      (channel) => channel.bindExchange(eventsExchange(prefix), deadLetterExchange(prefix), '#'),
      (channel) => channel.deleteQueue(own),
      (channel) => channel.deleteExchange(eventsExchange(prefix)),
    ];
    for (const change of changes) expect(await tried(service, change)).toBe('ACCESS_REFUSED');
  });
});

test('every service has a password of its own', () => {
  const { rabbitmq } = fromTestEnvironment();
  const passwords = Object.values(rabbitmq.servicePasswords ?? {});
  expect(new Set(passwords).size).toBe(passwords.length);
  const urls = serviceNames.map((name: ServiceName) => brokerUrlOf(rabbitmq, name));
  expect(urls.every((url) => url === rabbitmq.url)).toBe(rabbitmq.servicePasswords === undefined);
});
