import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { consumersOf } from '@cobro/frame/definition.ts';
import { declareTopology } from '@cobro/events/topology.ts';
import { definitions } from '../../../services/definitions.ts';
import { dropTopology } from './drop-topology.ts';
import { testEnvironment, testWorker } from './test-environment.ts';

export interface TestBroker {
  url: string;
  /** Stands before the name of every exchange and queue: nobody else uses it. */
  prefix: string;
  drop(): Promise<void>;
}

/** Who follows what, as every test's broker has it. */
export const consumers = consumersOf(definitions);

/** Exchanges and queues of the caller's own, in the virtual host of its jest worker. */
export async function testBroker(options: { retryDelaysMs?: readonly number[] } = {}): Promise<TestBroker> {
  const { url, prefix } = testBrokerNames();
  const topology = { prefix, ...options };
  appendFileSync(testEnvironment().topologiesFile, `${JSON.stringify(topology)}\n`);
  await declareTopology({ url, consumers, ...topology });
  return { url, prefix, drop: () => dropTopology(url, topology) };
}

/** For a test that declares by itself, and drops what it declared. */
export function testBrokerNames(): { url: string; prefix: string } {
  const { id, rabbitmq } = testEnvironment();
  const url = rabbitmq.virtualHostUrls[testWorker() % rabbitmq.virtualHostUrls.length];
  if (url === undefined) throw new Error('no virtual host for tests');
  return { url, prefix: `cobro-${id}.t${randomBytes(4).toString('hex')}.` };
}
