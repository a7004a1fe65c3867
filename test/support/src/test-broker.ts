import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { consumersOf } from '@cobro/frame/definition.ts';
import { declareTopology, eventsExchange } from '@cobro/events/topology.ts';
import { connect } from 'amqplib';
import { definitions } from '../../../services/definitions.ts';
import type { BrokerAddress } from './broker-address.ts';
import { dropTopology, nobodysQueue } from './drop-topology.ts';
import { testEnvironment, testWorker } from './test-environment.ts';

export interface TestBroker extends BrokerAddress {
  /** The name of every exchange and queue begins with this. Nobody else uses the same prefix. */
  prefix: string;
  drop(): Promise<void>;
}

/** Which types each service's queue is bound to, on every test's broker. */
export const consumers = consumersOf(definitions);

/**
 * Declares exchanges and queues for one caller alone, in the virtual host of its jest worker. Each consumer has several queues, so with
 * `only` just those of these services are declared. The events of the others go nowhere.
 */
export async function testBroker({
  only,
  ...options
}: { retryDelaysMs?: readonly number[]; only?: readonly string[] } = {}): Promise<TestBroker> {
  const names = testBrokerNames();
  const { url, prefix } = names;
  const topology = { prefix, ...options };
  appendFileSync(testEnvironment().topologiesFile, `${JSON.stringify(topology)}\n`);
  const chosen = Object.entries(consumers).filter(([name]) => only?.includes(name) ?? true);
  await declareTopology({ url, consumers: Object.fromEntries(chosen), ...topology });
  if (only !== undefined) await takeTheRest(url, prefix);
  return { ...names, drop: () => dropTopology(url, topology) };
}

/** Services publish only what a queue takes. This one takes everything and keeps nothing. */
async function takeTheRest(url: string, prefix: string): Promise<void> {
  const connection = await connect(url, { noDelay: true, timeout: 10_000 });
  try {
    const channel = await connection.createChannel();
    await channel.assertQueue(nobodysQueue(prefix), { maxLength: 0 });
    await channel.bindQueue(nobodysQueue(prefix), eventsExchange(prefix), '#');
  } finally {
    await connection.close();
  }
}

/** For a test that declares the topology itself, and drops what it declared. */
export function testBrokerNames(): BrokerAddress & { prefix: string } {
  const { id, rabbitmq } = testEnvironment();
  const { virtualHostUrls, servicePasswords } = rabbitmq;
  const url = virtualHostUrls[testWorker() % virtualHostUrls.length];
  if (url === undefined) throw new Error('no virtual host for tests');
  const users = servicePasswords === undefined ? {} : { servicePasswords };
  return { url, ...users, prefix: `cobro-${id}.t${randomBytes(4).toString('hex')}.` };
}
