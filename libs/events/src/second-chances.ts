import { setTimeout as sleep } from 'node:timers/promises';
import type { Envelope } from '@cobro/contracts/events.ts';
import type { Broker } from './broker.ts';
import type { Delivery } from './consumer.ts';
import { PermanentEventError } from './inbox.ts';
import type { Log } from './log.ts';
import type { OutgoingMessage } from './publisher.ts';
import { deadLetterExchange, retryQueue } from './topology.ts';

export interface Subscriber {
  broker: Broker;
  log: Log;
  /** Whose queue, for the log. */
  queue: string;
  /** Its name at the broker. */
  queueName: string;
  retryDelaysMs: readonly number[];
  isStopping: () => boolean;
}

const PUBLISH_AGAIN_AFTER_MS = 500;

/** Attempts that have failed before this delivery. Our own header: from RabbitMQ 4.0 on a client's `x-death` is not kept. */
function attemptsOf({ message }: Delivery): number {
  const attempt: unknown = message.properties.headers?.['attempt'];
  return typeof attempt === 'number' ? attempt : 0;
}

/** Puts the event on the next step of the ladder, or parks it from the last one. */
export async function retryLater(
  subscriber: Subscriber,
  delivery: Delivery,
  error: unknown,
  event: Envelope,
): Promise<void> {
  const attempt = attemptsOf(delivery) + 1;
  const delayMs = subscriber.retryDelaysMs[attempt - 1];
  if (delayMs === undefined) return park(subscriber, delivery, error, event);
  const line = { event: 'event_retried', queue: subscriber.queue, type: event.type, eventId: event.id, attempt, error };
  subscriber.log.warn(line, 'the event could not be applied; it comes again');
  await moveTo(
    subscriber,
    delivery,
    { exchange: '', routingKey: retryQueue(subscriber.queueName, delayMs) },
    { attempt },
  );
}

/** Takes the event out of the way until a person puts it back. */
export async function park(
  subscriber: Subscriber,
  delivery: Delivery,
  error: unknown,
  event?: Envelope,
): Promise<void> {
  const attempt = attemptsOf(delivery) + 1;
  const line = {
    event: 'event_parked',
    queue: subscriber.queue,
    type: event?.type,
    eventId: event?.id,
    attempt,
    error,
  };
  subscriber.log.error(line, 'the event cannot be applied; it is parked');
  const place = { exchange: deadLetterExchange(subscriber.broker.prefix), routingKey: subscriber.queueName };
  await moveTo(subscriber, delivery, place, { attempt, reason: reasonOf(error) });
}

/** The copy first, then the ack: dying in between leaves two, and the inbox takes one. */
async function moveTo(
  subscriber: Subscriber,
  delivery: Delivery,
  place: Pick<OutgoingMessage, 'exchange' | 'routingKey'>,
  headers: Record<string, unknown>,
): Promise<void> {
  const { content, properties } = delivery.message;
  const moved = {
    ...place,
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

/** Without those that the broker wrote (x-death, …): it counts them anew, or refuses ours. */
export function ownHeaders(headers: Record<string, unknown> | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(headers ?? {}).filter(([name]) => !name.startsWith('x-')));
}

/** Names and codes only, as in the log: a database's message may quote a row. */
function reasonOf(error: unknown): string {
  if (error instanceof PermanentEventError) return error.message;
  if (!(error instanceof Error)) return typeof error;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? `${error.name} ${code}` : error.name;
}
