import { setTimeout as sleep } from 'node:timers/promises';
import type { Envelope } from '@cobro/contracts/events.ts';
import type { Broker } from './broker.ts';
import type { Delivery } from './consumer.ts';
import { PermanentEventError } from './inbox.ts';
import type { Log } from './log.ts';
import type { OutgoingMessage } from './publisher.ts';
import { deadLetterExchange, retryQueue, returnsExchange } from './topology.ts';

export interface Subscriber {
  broker: Broker;
  log: Log;
  /** The follower's name, for the log. */
  queue: string;
  /** The queue's name at the broker. */
  queueName: string;
  retryDelaysMs: readonly number[];
  isStopping: () => boolean;
}

const PUBLISH_AGAIN_AFTER_MS = 500;

/**
 * How many deliveries failed before this one: `attempt`, a header of our own, because from RabbitMQ 4.0 on the broker drops an
 * `x-death` of ours.
 */
function failuresOf({ message }: Delivery): number {
  const failures: unknown = message.properties.headers?.['attempt'];
  return typeof failures === 'number' ? failures : 0;
}

/** Puts the event into the queue of the next delay, or parks it when all delays are used up. */
export async function retryLater(
  subscriber: Subscriber,
  delivery: Delivery,
  error: unknown,
  event: Envelope,
): Promise<void> {
  const failures = failuresOf(delivery) + 1;
  const delayMs = subscriber.retryDelaysMs[failures - 1];
  if (delayMs === undefined) return park(subscriber, delivery, error, event);
  const line = {
    event: 'event_retried',
    queue: subscriber.queue,
    type: event.type,
    eventId: event.id,
    failures,
    error,
  };
  subscriber.log.warn(line, 'the event could not be applied; it comes again');
  await moveTo(subscriber, delivery, ownQueue(subscriber, retryQueue(subscriber.queueName, delayMs)), {
    attempt: failures,
  });
}

/** Puts the event at the end of its own queue, and counts no failure. */
export const putBack = (subscriber: Subscriber, delivery: Delivery): Promise<void> =>
  moveTo(subscriber, delivery, ownQueue(subscriber, subscriber.queueName), {});

/** The exchange and routing key of one of the subscriber's own queues. */
const ownQueue = ({ queueName }: Subscriber, routingKey: string) => ({
  exchange: returnsExchange(queueName),
  routingKey,
});

/** Moves the event out of the way until an operator puts it back. */
export async function park(
  subscriber: Subscriber,
  delivery: Delivery,
  error: unknown,
  event?: Envelope,
): Promise<void> {
  const failures = failuresOf(delivery) + 1;
  const line = {
    event: 'event_parked',
    queue: subscriber.queue,
    type: event?.type,
    eventId: event?.id,
    failures,
    error,
  };
  subscriber.log.error(line, 'the event cannot be applied; it is parked');
  const to = { exchange: deadLetterExchange(subscriber.broker.prefix), routingKey: subscriber.queueName };
  await moveTo(subscriber, delivery, to, { attempt: failures, reason: reasonOf(error) });
}

/**
 * Publishes the copy first and acknowledges afterwards. If the process dies in between there are two copies, and the inbox
 * applies one.
 */
async function moveTo(
  subscriber: Subscriber,
  delivery: Delivery,
  to: Pick<OutgoingMessage, 'exchange' | 'routingKey'>,
  headers: Record<string, unknown>,
): Promise<void> {
  const { content, properties } = delivery.message;
  const moved = {
    ...to,
    content,
    messageId: String(properties.messageId),
    headers: { ...ownHeaders(properties.headers), ...headers },
  };
  while (delivery.isOpen()) {
    try {
      await subscriber.broker.publish(moved);
      return delivery.ack();
    } catch (error) {
      if (subscriber.isStopping()) return;
      subscriber.log.warn(
        { event: 'event_not_moved', queue: subscriber.queue, error },
        'could not move an event; trying on',
      );
      await sleep(PUBLISH_AGAIN_AFTER_MS);
    }
  }
}

/**
 * Leaves out the broker's own headers (x-death, …), because it writes them anew or refuses ours. Also leaves out CC and BCC, by which
 * it would send a copy elsewhere, because it closes the channel if this service may not write there.
 */
export function ownHeaders(headers: Record<string, unknown> | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(headers ?? {}).filter(([name]) => !/^(x-|B?CC$)/.test(name)));
}

/** Gives names and codes only, as the log does, because a database's message may quote a row. */
function reasonOf(error: unknown): string {
  if (error instanceof PermanentEventError) return error.message;
  if (!(error instanceof Error)) return typeof error;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? `${error.name} ${code}` : error.name;
}
