import { setTimeout as sleep } from 'node:timers/promises';
import { type Envelope, parseEnvelope } from '@cobro/contracts/events.ts';
import type { Database } from '@cobro/postgres/database.ts';
import { ZodError } from 'zod';
import type { Broker } from './broker.ts';
import type { Delivery } from './consumer.ts';
import { type EventHandlers, PermanentEventError, receiveEvent } from './inbox.ts';
import type { Log } from './log.ts';
import { park, retryLater, type Subscriber } from './second-chances.ts';
import { type ConsumerName, consumerQueue, RETRY_DELAYS_MS } from './topology.ts';
import { within } from '@cobro/contracts/time-limit.ts';

export interface SubscribeOptions {
  broker: Broker;
  db: Database;
  /** Whose queue. */
  queue: ConsumerName;
  /** By event type; an event of another type is acknowledged and forgotten. */
  handlers: EventHandlers;
  log: Log;
  /** Events in work at once. */
  prefetch?: number;
  /** The ladder that the topology was declared with. */
  retryDelaysMs?: readonly number[];
}

export interface Subscription {
  /** Takes no more events and finishes those in work; what cannot be finished within 10 s comes again elsewhere. */
  stop(): Promise<void>;
}

type Settling = Subscriber & Pick<SubscribeOptions, 'db' | 'handlers'>;

const FINISH_WITHIN_MS = 10_000;
const DATABASE_ASKED_EVERY_MS = 250;

/**
 * Applies each event of the queue once. An effect that fails is tried again after the delays of the ladder, then parked; a
 * permanent error (or data that has another shape) parks at once; while the database is away events wait and lose no attempt.
 */
export function subscribe(options: SubscribeOptions): Subscription {
  let stopping = false;
  const subscriber: Settling = {
    ...options,
    retryDelaysMs: options.retryDelaysMs ?? RETRY_DELAYS_MS,
    queueName: consumerQueue(options.broker.prefix, options.queue),
    isStopping: () => stopping,
  };
  const inTurn = oneAtATimePerKey();
  const consumer = options.broker.consume({
    queue: subscriber.queueName,
    prefetch: options.prefetch ?? 20,
    onDelivery: (delivery) => {
      const event = readEnvelope(delivery);
      // Events of one aggregate would only wait for each other's row locks, or overtake each other.
      void inTurn
        .run(event?.subject ?? '', () => settle(subscriber, delivery, event))
        .catch((error: unknown) => {
          options.log.error(
            { event: 'delivery_failed', queue: options.queue, error },
            'a bug: the delivery was not settled',
          );
        });
    },
  });
  return {
    stop: async () => {
      stopping = true;
      await consumer.cancel();
      await within(FINISH_WITHIN_MS, inTurn.idle()).catch(() => {});
      await consumer.close();
    },
  };
}

function readEnvelope({ message }: Delivery): Envelope | undefined {
  try {
    return parseEnvelope(JSON.parse(message.content.toString()));
  } catch {
    return undefined;
  }
}

/** Ends with the delivery acknowledged (applied, put off or parked), or with its channel gone, so that it comes again. */
async function settle(subscriber: Settling, delivery: Delivery, event: Envelope | undefined): Promise<void> {
  if (event === undefined) return park(subscriber, delivery, new PermanentEventError('not an event'));
  while (delivery.isOpen()) {
    try {
      await receiveEvent(subscriber.db, subscriber.handlers, event);
      return delivery.ack();
    } catch (error) {
      if (error instanceof PermanentEventError || error instanceof ZodError)
        return park(subscriber, delivery, error, event);
      if (await answers(subscriber.db)) return retryLater(subscriber, delivery, error, event);
      if (!(await databaseIsBack(subscriber, delivery))) return;
    }
  }
}

async function databaseIsBack(subscriber: Settling, delivery: Delivery): Promise<boolean> {
  while (delivery.isOpen() && !subscriber.isStopping()) {
    await sleep(DATABASE_ASKED_EVERY_MS);
    if (await answers(subscriber.db)) return true;
  }
  return false;
}

const answers = (db: Database) =>
  db.ping().then(
    () => true,
    () => false,
  );

function oneAtATimePerKey() {
  const last = new Map<string, Promise<void>>();
  return {
    run: (key: string, work: () => Promise<void>): Promise<void> => {
      const before = last.get(key);
      const done = before === undefined ? work() : before.then(work, work);
      last.set(key, done);
      const forget = () => {
        if (last.get(key) === done) last.delete(key);
      };
      done.then(forget, forget);
      return done;
    },
    /** Resolves when nothing is in work. */
    idle: async () => {
      while (last.size > 0) await Promise.allSettled(last.values());
    },
  };
}
