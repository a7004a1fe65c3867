import {
  type ConsumerName,
  RETRY_DELAYS_MS,
  consumerQueue,
  consumers,
  deadLetterExchange,
  declareTopology,
  eventsExchange,
  parkedQueue,
  retryQueue,
} from '@cobro/events/topology.ts';
import { connect } from 'amqplib';
import type { Run } from './run.ts';
import { type Server, hostAndPort } from './servers/server.ts';

export interface ProvisionedBroker {
  url: string;
  /** Stands before the name of every exchange and queue; empty on a broker of our own. */
  prefix: string;
}

export async function provisionRabbitmq(run: Run, rabbitmq: Server): Promise<ProvisionedBroker> {
  const { url } = rabbitmq;
  const prefix = rabbitmq.owner === 'this-run' ? '' : `cobro-${run.id}.`;
  run.onServer(rabbitmq, { kind: 'topology', server: hostAndPort(url), prefix }, () => dropTopology(url, prefix));
  await declareTopology({ url, prefix });
  return { url, prefix };
}

/** Deletes what `declareTopology` declares under that prefix; what is not there is no error. */
export async function dropTopology(url: string, prefix: string): Promise<void> {
  const connection = await connect(url, { noDelay: true, timeout: 10_000 });
  connection.on('error', () => {});
  try {
    const channel = await connection.createChannel();
    channel.on('error', () => {});
    const queues = Object.keys(consumers).map((consumer) => consumerQueue(prefix, consumer as ConsumerName));
    const retries = queues.flatMap((queue) => RETRY_DELAYS_MS.map((delayMs) => retryQueue(queue, delayMs)));
    for (const queue of [...queues, ...retries, parkedQueue(prefix)]) await channel.deleteQueue(queue);
    await channel.deleteExchange(eventsExchange(prefix));
    await channel.deleteExchange(deadLetterExchange(prefix));
  } finally {
    await connection.close().catch(() => {});
  }
}
