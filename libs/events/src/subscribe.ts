import { setTimeout as sleep } from 'node:timers/promises';
import { type Envelope, parseEnvelope } from '@cobro/contracts/events.ts';
import { within } from '@cobro/contracts/time-limit.ts';
import type { Database } from '@cobro/postgres/database.ts';
import { type Context, context, ROOT_CONTEXT } from '@opentelemetry/api';
import { ZodError } from 'zod';
import type { Broker } from './broker.ts';
import type { Delivery } from './consumer.ts';
import { type EventHandlers, PermanentEventError, receiveEvents } from './inbox.ts';
import type { Log } from './log.ts';
import { park, retryLater, type Subscriber } from './second-chances.ts';
import { consumerQueue, RETRY_DELAYS_MS } from './topology.ts';
import { inBatches, inTurns } from './turns.ts';

export interface SubscribeOptions {
  broker: Broker;
  db: Database;
  /** Whose queue. */
  queue: string;
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

interface Incoming {
  delivery: Delivery;
  /** Undefined where the message is no event. */
  event: Envelope | undefined;
  trace: Context;
}

const subjectOf = ({ event }: Incoming) => event?.subject ?? '';

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
  const turns = inTurns();
  const takeTurn = (incoming: Incoming, failure?: unknown) =>
    turns.take(subjectOf(incoming), () =>
      // Batches run on in the trace of whatever came first.
      context
        .with(incoming.trace, () => settle(subscriber, incoming, failure))
        .catch((error: unknown) => {
          const fields = { event: 'delivery_failed', queue: options.queue, error };
          options.log.error(fields, 'a bug: the delivery was not settled');
        }),
    );
  const batches = inBatches(async (batch: Incoming[]) => {
    const { behind = [], first = [] } = Object.groupBy(batch, (incoming) =>
      turns.isTaken(subjectOf(incoming)) ? 'behind' : 'first',
    );
    for (const incoming of behind) takeTurn(incoming);
    const failure = await apply(subscriber, first);
    if (failure === undefined) return;
    // Each on its own: that tells what cannot be applied from the rest, and holds up only later events of its aggregate.
    for (const incoming of first) takeTurn(incoming, first.length === 1 ? failure : undefined);
  });
  const consumer = options.broker.consume({
    queue: subscriber.queueName,
    prefetch: options.prefetch ?? 20,
    onDelivery: (delivery) => batches.add({ delivery, event: readEnvelope(delivery), trace: context.active() }),
  });
  return {
    stop: async () => {
      stopping = true;
      await consumer.cancel();
      await within(FINISH_WITHIN_MS, batches.idle().then(turns.idle)).catch(() => {});
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

/** Applies what came together in one transaction and acknowledges it, or returns what kept it from that. */
async function apply({ db, handlers }: Settling, batch: Incoming[]): Promise<unknown> {
  const events = batch.map(({ event }) => event).filter((event) => event !== undefined);
  if (events.length < batch.length) return new PermanentEventError('not an event');
  // Several are in nobody's trace: each one's own has its delivery until the acknowledgement.
  const trace = batch.length === 1 ? batch[0]?.trace : undefined;
  try {
    await context.with(trace ?? ROOT_CONTEXT, () => receiveEvents(db, handlers, events));
  } catch (error) {
    return error;
  }
  for (const { delivery } of batch) delivery.ack();
  return undefined;
}

/** Ends with the delivery acknowledged (applied, put off or parked), or with its channel gone, so that it comes again. */
async function settle(subscriber: Settling, incoming: Incoming, firstFailure: unknown): Promise<void> {
  const { delivery, event } = incoming;
  // One of a closed channel comes again, after those before it.
  const applyOpen = async () => (delivery.isOpen() ? apply(subscriber, [incoming]) : undefined);
  let failure = firstFailure ?? (await applyOpen());
  while (failure !== undefined && delivery.isOpen()) {
    if (event === undefined || failure instanceof PermanentEventError || failure instanceof ZodError) {
      return park(subscriber, delivery, failure, event);
    }
    if (await answers(subscriber.db)) return retryLater(subscriber, delivery, failure, event);
    if (!(await databaseIsBack(subscriber, delivery))) return;
    failure = await applyOpen();
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
