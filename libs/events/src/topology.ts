import { shownTo } from '@cobro/certificates/shown-certificate.ts';
import { type Channel, connect } from 'amqplib';

/** The routing keys of events that each consumer's queue is bound to, by the consumer's name. */
export type Consumers = Readonly<Record<string, readonly string[]>>;

/** Milliseconds before the second, third, … delivery. After the last of these deliveries the event is parked. */
export const RETRY_DELAYS_MS: readonly number[] = [1_000, 10_000, 60_000, 600_000];

export const eventsExchange = (prefix: string) => `${prefix}events`;
export const deadLetterExchange = (prefix: string) => `${prefix}events.dlx`;
export const parkedQueue = (prefix: string) => `${prefix}parked`;
export const consumerQueue = (prefix: string, consumer: string) => `${prefix}${consumer}`;
/** The name contains the delay, because a queue cannot be declared again with another delay. */
export const retryQueue = (queue: string, delayMs: number) => `${queue}.retry.${delayMs}`;

/** Through this exchange a consumer puts an event back into its own queues. The default exchange would lead to every queue. */
export const returnsExchange = (queue: string) => `${queue}.returns`;

/**
 * How often the broker delivers a message again after the consumer's process died or lost its connection. Failures do not
 * count here.
 */
const DELIVERY_LIMIT = 20;
/**
 * Reading parked events puts them back each time, and from RabbitMQ 4.0 on the broker would by default drop them after 20 times.
 */
const NO_DELIVERY_LIMIT = 1_000_000;

/**
 * Declares every exchange, queue and binding, and may be repeated. This is the only place that declares: services use what is
 * there. Works with RabbitMQ 3.10 to 4.x. @throws if the broker is away or has a queue of that name with other arguments
 */
export async function declareTopology(options: {
  url: string;
  consumers: Consumers;
  prefix?: string;
  retryDelaysMs?: readonly number[];
}): Promise<void> {
  const { url, consumers, prefix = '', retryDelaysMs = RETRY_DELAYS_MS } = options;
  const connection = await connect(url, { noDelay: true, timeout: 10_000, ...shownTo('rabbitmq') });
  // Without a listener an error event would end the process. The call that caused the error rejects as well.
  connection.on('error', () => {});
  try {
    const channel = await connection.createChannel();
    channel.on('error', () => {});
    await channel.assertExchange(eventsExchange(prefix), 'topic');
    await channel.assertExchange(deadLetterExchange(prefix), 'topic');
    await declareQuorumQueue(channel, parkedQueue(prefix), { 'x-delivery-limit': NO_DELIVERY_LIMIT });
    await channel.bindQueue(parkedQueue(prefix), deadLetterExchange(prefix), '#');
    for (const [consumer, bindings] of Object.entries(consumers)) {
      await declareConsumer(channel, prefix, consumerQueue(prefix, consumer), bindings, retryDelaysMs);
    }
  } finally {
    await connection.close().catch(() => {});
  }
}

async function declareConsumer(
  channel: Channel,
  prefix: string,
  queue: string,
  bindings: readonly string[],
  retryDelaysMs: readonly number[],
): Promise<void> {
  await declareQuorumQueue(channel, queue, {
    'x-delivery-limit': DELIVERY_LIMIT,
    'x-dead-letter-exchange': deadLetterExchange(prefix),
    'x-dead-letter-routing-key': queue,
  });
  await channel.assertExchange(returnsExchange(queue), 'direct');
  await channel.bindQueue(queue, returnsExchange(queue), queue);
  for (const delayMs of retryDelaysMs) {
    const delayed = retryQueue(queue, delayMs);
    await declareQuorumQueue(channel, delayed, {
      'x-message-ttl': delayMs,
      'x-dead-letter-exchange': '',
      'x-dead-letter-routing-key': queue,
    });
    await channel.bindQueue(delayed, returnsExchange(queue), delayed);
  }
  for (const binding of bindings) await channel.bindQueue(queue, eventsExchange(prefix), binding);
}

/**
 * With `at-least-once` the broker keeps a dead letter until the next queue has confirmed it. `at-least-once` needs
 * `reject-publish`.
 */
async function declareQuorumQueue(channel: Channel, queue: string, extra: Record<string, unknown>): Promise<void> {
  const dead = 'x-dead-letter-exchange' in extra ? { 'x-dead-letter-strategy': 'at-least-once' } : {};
  await channel.assertQueue(queue, {
    durable: true,
    arguments: { 'x-queue-type': 'quorum', 'x-overflow': 'reject-publish', ...dead, ...extra },
  });
}
