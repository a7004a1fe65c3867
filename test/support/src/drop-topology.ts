import {
  RETRY_DELAYS_MS,
  consumerQueue,
  deadLetterExchange,
  eventsExchange,
  parkedQueue,
  retryQueue,
  returnsExchange,
} from '@cobro/events/topology.ts';
import { connect } from 'amqplib';
import { serviceNames } from '../../../services/definitions.ts';

/** The queue for events that no consumer of a test takes. */
export const nobodysQueue = (prefix: string) => `${prefix}nobody`;

export interface Topology {
  prefix: string;
  retryDelaysMs?: readonly number[] | undefined;
}

/** Deletes what `declareTopology` declares under that prefix. What does not exist is no error. */
export async function dropTopology(url: string, ...topologies: Topology[]): Promise<void> {
  const connection = await connect(url, { noDelay: true, timeout: 10_000 });
  connection.on('error', () => {});
  try {
    const channel = await connection.createChannel();
    channel.on('error', () => {});
    for (const { prefix, retryDelaysMs = RETRY_DELAYS_MS } of topologies) {
      const queues = serviceNames.map((service) => consumerQueue(prefix, service));
      const retries = queues.flatMap((queue) => retryDelaysMs.map((delayMs) => retryQueue(queue, delayMs)));
      for (const queue of [...queues, ...retries, parkedQueue(prefix), nobodysQueue(prefix)])
        await channel.deleteQueue(queue);
      for (const queue of queues) await channel.deleteExchange(returnsExchange(queue));
      await channel.deleteExchange(eventsExchange(prefix));
      await channel.deleteExchange(deadLetterExchange(prefix));
    }
  } finally {
    await connection.close().catch(() => {});
  }
}
