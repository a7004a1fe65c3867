import { type Channel, connect } from 'amqplib';

/** Who follows what: the types of event to which each service's queue, which is named after it, is bound. */
export type Consumers = Readonly<Record<string, readonly string[]>>;

/** Milliseconds before the second, third, … attempt; when they are used up the event is parked. */
export const RETRY_DELAYS_MS: readonly number[] = [1_000, 10_000, 60_000, 600_000];

export const eventsExchange = (prefix: string) => `${prefix}events`;
export const deadLetterExchange = (prefix: string) => `${prefix}events.dlx`;
export const parkedQueue = (prefix: string) => `${prefix}parked`;
export const consumerQueue = (prefix: string, consumer: string) => `${prefix}${consumer}`;
/** The delay is part of the name, because a queue cannot be declared again with another one. */
export const retryQueue = (queue: string, delayMs: number) => `${queue}.retry.${delayMs}`;

/** Only a process that dies on a message, or loses its connection with it, counts here; failed attempts climb the ladder. */
const DELIVERY_LIMIT = 20;
/** Looking at parked events returns them each time; from RabbitMQ 4.0 on the default would drop them after 20 looks. */
const NO_DELIVERY_LIMIT = 1_000_000;

/**
 * Declares every exchange, queue and binding; safe to repeat. The one place that does so: services only use what is there.
 * Runs on RabbitMQ 3.10 to 4.x alike. @throws when the broker is away or holds a queue of that name with other arguments
 */
export async function declareTopology(options: {
  url: string;
  consumers: Consumers;
  prefix?: string;
  retryDelaysMs?: readonly number[];
}): Promise<void> {
  const { url, consumers, prefix = '', retryDelaysMs = RETRY_DELAYS_MS } = options;
  const connection = await connect(url, { noDelay: true, timeout: 10_000 });
  // Without a listener an error event would end the process; the call that caused it rejects as well.
  connection.on('error', () => {});
  try {
    const channel = await connection.createChannel();
    channel.on('error', () => {});
    await channel.assertExchange(eventsExchange(prefix), 'topic');
    await channel.assertExchange(deadLetterExchange(prefix), 'topic');
    await declareQuorumQueue(channel, parkedQueue(prefix), { 'x-delivery-limit': NO_DELIVERY_LIMIT });
    await channel.bindQueue(parkedQueue(prefix), deadLetterExchange(prefix), '#');
    for (const [consumer, types] of Object.entries(consumers)) {
      await declareConsumer(channel, prefix, consumerQueue(prefix, consumer), types, retryDelaysMs);
    }
  } finally {
    await connection.close().catch(() => {});
  }
}

async function declareConsumer(
  channel: Channel,
  prefix: string,
  queue: string,
  types: readonly string[],
  retryDelaysMs: readonly number[],
): Promise<void> {
  await declareQuorumQueue(channel, queue, {
    'x-delivery-limit': DELIVERY_LIMIT,
    'x-dead-letter-exchange': deadLetterExchange(prefix),
    'x-dead-letter-routing-key': queue,
  });
  for (const delayMs of retryDelaysMs) {
    await declareQuorumQueue(channel, retryQueue(queue, delayMs), {
      'x-message-ttl': delayMs,
      'x-dead-letter-exchange': '',
      'x-dead-letter-routing-key': queue,
    });
  }
  for (const type of types) await channel.bindQueue(queue, eventsExchange(prefix), type);
}

/** `at-least-once` needs `reject-publish`: a dead letter is kept until its next queue has confirmed it. */
async function declareQuorumQueue(channel: Channel, queue: string, extra: Record<string, unknown>): Promise<void> {
  const dead = 'x-dead-letter-exchange' in extra ? { 'x-dead-letter-strategy': 'at-least-once' } : {};
  await channel.assertQueue(queue, {
    durable: true,
    arguments: { 'x-queue-type': 'quorum', 'x-overflow': 'reject-publish', ...dead, ...extra },
  });
}
