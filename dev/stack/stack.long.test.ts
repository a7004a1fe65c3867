import { testEnvironment } from '@cobro/testing/test-environment.ts';
import { until } from '@cobro/testing/until.ts';
import { eventsExchange } from '@cobro/events/topology.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connect } from 'amqplib';
import { withClient } from '@cobro/postgres/with-client.ts';
import { fromTestEnvironment } from './test-environment.ts';
import { type Stack, startStack } from './stack.ts';

describe('a stack on servers that outlive it', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ servers: fromTestEnvironment(), replicas: { holds: 2 } });
  }, 300_000);
  afterAll(() => stack.stop());

  const databases = () =>
    withClient({ connectionString: testEnvironment().postgres.url }, async (client) => {
      const name = new URL(stack.databaseUrl).pathname.slice(1);
      return (await client.query('select from pg_database where datname = $1', [name])).rows.length;
    });

  const exchangeExists = async () => {
    const connection = await connect(stack.brokerUrl);
    connection.on('error', () => {});
    const channel = await connection.createChannel();
    channel.on('error', () => {});
    const exists = await channel.checkExchange(eventsExchange(stack.eventsPrefix)).then(
      () => true,
      () => false,
    );
    await connection.close().catch(() => {});
    return exists;
  };

  test('answers on every address, each replica on its own', async () => {
    const urls = [stack.bankUrl, ...Object.values(stack.urls).flat()];
    expect(new Set(urls).size).toBe(urls.length);
    const isReady = async (url: string) => (await fetch(`${url}/health/ready`)).status === 200;
    await Promise.all(urls.map((url) => until(`${url} is ready`, () => isReady(url))));
    expect(stack.processes.pids().holds).toHaveLength(2);
  });

  test('sends the moved clock to a process that is started again', async () => {
    await fetch(stack.clockUrl, { method: 'PUT', body: '{"advanceSeconds":86400}' });
    await stack.processes.restart('bank');
    const token = {
      number: '4242424242424242',
      expirationMonth: 12,
      expirationYear: 2039,
      cvc: '123',
      holderName: 'A',
    };
    const response = await fetch(`${stack.bankUrl}/tokens`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
      body: JSON.stringify(token),
    });
    const { time } = (await response.json()) as { time: string };
    expect(Math.abs(Date.parse(time) - Date.now() - 86_400_000)).toBeLessThan(60_000);
  });

  test('leaves nothing there when it has stopped, which is soon', async () => {
    expect([await databases(), await exchangeExists()]).toEqual([1, true]);
    const started = performance.now();
    await stack.stop();
    // Twenty seconds on an idle machine.
    expect(performance.now() - started).toBeLessThan(120_000);
    expect([await databases(), await exchangeExists()]).toEqual([0, false]);
  });
});
