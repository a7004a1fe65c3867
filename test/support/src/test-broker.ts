import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { consumersOf } from '@cobro/frame/definition.ts';
import { declareTopology } from '@cobro/events/topology.ts';
import { definitions } from '../../../services/definitions.ts';
import type { BrokerAddress } from './broker-address.ts';
import { dropTopology } from './drop-topology.ts';
import { testEnvironment, testWorker } from './test-environment.ts';

export interface TestBroker extends BrokerAddress {
  /** The name of every exchange and queue begins with this. Nobody else uses the same prefix. */
  prefix: string;
  drop(): Promise<void>;
}

/** Which types each service's queue is bound to, on every test's broker. */
export const consumers = consumersOf(definitions);

/** Declares exchanges and queues for one caller alone, in the virtual host of its jest worker. */
export async function testBroker(options: { retryDelaysMs?: readonly number[] } = {}): Promise<TestBroker> {
  const names = testBrokerNames();
  const { url, prefix } = names;
  const topology = { prefix, ...options };
  appendFileSync(testEnvironment().topologiesFile, `${JSON.stringify(topology)}\n`);
  await declareTopology({ url, consumers, ...topology });
  return { ...names, drop: () => dropTopology(url, topology) };
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
