import { createBatcher } from '@cobro/async/batcher.ts';
import { within } from '@cobro/async/time-limit.ts';
import { type Envelope, parseEnvelope } from '@cobro/contracts/events.ts';
import { gauge, gaugeOf } from '@cobro/metrics/instruments.ts';
import { DatabaseUnavailable } from '@cobro/postgres/unavailable.ts';
import { context, ROOT_CONTEXT } from '@opentelemetry/api';
import { ZodError } from 'zod';
import type { Broker } from './broker.ts';
import type { Delivery } from './consumer.ts';
import { type EventLag, measureEventLag } from './event-lag.ts';
import { type SignatureCheck, type SignedMessage, UntrustedEventError } from './event-signature.ts';
import { type EventCheck, PermanentEventError, type ReceiveEvents } from './inbox.ts';
import type { Log } from './log.ts';
import { park, putBack, retryLater, type Subscriber } from './retry-or-park.ts';
import { beginTaking, type Taking } from './take-span.ts';
import { consumerQueue, parkedQueue, RETRY_DELAYS_MS } from './topology.ts';
import { inTurns } from './turns.ts';
import { openWaiting, type Waiting } from './waiting.ts';

export interface SubscribeOptions {
  broker: Broker;
  /** The follower's name, without the prefix. */
  queue: string;
  /** Applies events. Events of unknown types are acknowledged and forgotten. */
  receive: ReceiveEvents;
  /** Called for each event that is new here. */
  checkSignature: SignatureCheck;
  log: Log;
  /** How many events may be in work at once. */
  prefetch?: number;
  /** How long an event waits for others, to be applied with them in one transaction. */
  gatherMs?: number | undefined;
  /** The delays that the topology was declared with. */
  retryDelaysMs?: readonly number[];
  /** How long an event may wait for the database before it goes back into its queue. Shorter than the broker's 30 minutes. */
  putBackAfterMs?: number;
}

export interface Subscription {
  /** True while events wait, because the database cannot take them. */
  isWaiting(): boolean;
  /** Takes no more events and finishes those in work. The broker delivers events not finished within 10 s to another process. */
  stop(): Promise<void>;
}

interface Incoming {
  delivery: Delivery;
  /** Undefined if the message is not an event. */
  event: Envelope | undefined;
  taking: Taking;
}

const subjectOf = ({ event }: Incoming) => event?.subject ?? '';

interface Following extends Subscriber, Pick<SubscribeOptions, 'receive' | 'checkSignature'> {
  /** How many events were parked because of their signature. */
  untrusted: number;
  waiting: Waiting;
  lag: EventLag;
  putBackAfterMs: number;
}

/** The most events that are gathered. */
const GATHERED = 200;
const FINISH_WITHIN_MS = 10_000;
const PUT_BACK_AFTER_MS = 15 * 60_000;

/**
 * Applies each event of the queue once. One that fails is tried again after each delay and then parked; a permanent error, or
 * data of another shape, parks it at once. While the database is away or sick events wait and no failure is counted.
 */
export function subscribe(options: SubscribeOptions): Subscription {
  let stopping = false;
  const subscriber: Following = {
    ...options,
    untrusted: 0,
    retryDelaysMs: options.retryDelaysMs ?? RETRY_DELAYS_MS,
    queueName: consumerQueue(options.broker.prefix, options.queue),
    isStopping: () => stopping,
    waiting: openWaiting(options),
    lag: measureEventLag(options.queue),
    putBackAfterMs: options.putBackAfterMs ?? PUT_BACK_AFTER_MS,
  };
  const stopMeasuring = measureQueue(subscriber);
  const turns = inTurns();
  const takeTurn = (incoming: Incoming, failure?: unknown) =>
    turns.take(subjectOf(incoming), () =>
      // Without this the event would run in the trace of the first event of its batch.
      context
        .with(incoming.taking.trace, () => finish(subscriber, incoming, failure))
        .catch((error: unknown) => {
          const fields = { event: 'delivery_failed', queue: options.queue, error };
          options.log.error(fields, 'a bug: the delivery was not finished');
        })
        .finally(() => incoming.event && subscriber.lag.end(incoming.event, false)),
    );
  const work = async (batch: Incoming[]) => {
    await subscriber.waiting.turn();
    const { behind = [], first = [] } = Object.groupBy(batch, (incoming) =>
      turns.isTaken(subjectOf(incoming)) ? 'behind' : 'first',
    );
    for (const incoming of behind) takeTurn(incoming);
    const failure = await apply(subscriber, first);
    if (failure === undefined) return;
    // Each event is tried on its own. So only the event that cannot be applied fails, and only later events of its aggregate
    // wait. A sick database fails all of them alike, so then each one waits.
    const failsEach = first.length === 1 || failure instanceof DatabaseUnavailable;
    for (const incoming of first) takeTurn(incoming, failsEach ? failure : undefined);
  };
  const { gatherMs = 0 } = options;
  const batches = createBatcher({ work, gatherMs });
  const consumer = options.broker.consume({
    queue: subscriber.queueName,
    prefetch: options.prefetch ?? (gatherMs > 0 ? GATHERED : 20),
    onDelivery: (delivery) => {
      const event = readEnvelope(delivery);
      if (event !== undefined) subscriber.lag.begin(event);
      batches.add({ delivery, event, taking: beginTaking(delivery.message.properties.headers, event) });
    },
  });
  return {
    isWaiting: subscriber.waiting.isWaiting,
    stop: async () => {
      stopping = true;
      subscriber.waiting.stop();
      stopMeasuring();
      await consumer.cancel();
      await within(FINISH_WITHIN_MS, batches.idle().then(turns.idle)).catch(() => {});
      await consumer.close();
      subscriber.lag.stop();
    },
  };
}

/** Measures the events that wait for the database, at the broker, and for an operator, and the untrusted ones. */
function measureQueue(subscriber: Following): () => void {
  const { broker, queue, queueName, waiting } = subscriber;
  const ended = [
    gauge('cobro.events.untrusted', () => [{ value: subscriber.untrusted, queue }]),
    gauge('cobro.events.waiting', () => [{ value: Number(waiting.isWaiting()), queue }]),
    gauge('cobro.events.queued', async () => {
      const value = await broker.countReady(queueName);
      return value === undefined ? [] : [{ value, queue }];
    }),
    gaugeOf('cobro.events.parked', () => broker.countReady(parkedQueue(broker.prefix))),
  ];
  return () => ended.forEach((end) => end());
}

function readEnvelope({ message }: Delivery): Envelope | undefined {
  try {
    return parseEnvelope(JSON.parse(message.content.toString()));
  } catch {
    return undefined;
  }
}

/** Applies a batch in one transaction and acknowledges it, or returns the error that prevented that. */
async function apply(subscriber: Following, batch: Incoming[]): Promise<unknown> {
  const { receive, checkSignature, waiting, lag } = subscriber;
  const events = batch.map(({ event }) => event).filter((event) => event !== undefined);
  if (events.length < batch.length) return new PermanentEventError('not an event');
  // A batch of several runs in no trace. Each event's own trace covers its delivery until the acknowledgement.
  const single = batch.length === 1 ? batch[0]?.taking.trace : undefined;
  try {
    const messages = new Map(batch.map(({ event, delivery }) => [event, delivery.message]));
    const check: EventCheck = (event) => checkSignature(event, messages.get(event) as SignedMessage);
    const fresh = await context.with(single ?? ROOT_CONTEXT, () => receive(events, check));
    for (const { event, taking } of batch) if (fresh.has(event?.id ?? '')) taking.applied();
  } catch (error) {
    return error;
  }
  for (const { delivery } of batch) delivery.ack();
  for (const event of events) lag.end(event, true);
  if (batch.length > 0) waiting.succeeded();
  return undefined;
}

/**
 * Ends when the delivery is acknowledged (applied, put off or parked), or when its channel is gone and the broker delivers it
 * again.
 */
async function finish(subscriber: Following, incoming: Incoming, firstFailure: unknown): Promise<void> {
  const { delivery, event } = incoming;
  const { waiting } = subscriber;
  const begunAt = performance.now();
  if (firstFailure === undefined) await waiting.turn();
  // A delivery of a closed channel must not be applied here: the broker delivers it again, after the events before it.
  const applyOpen = async () => (delivery.isOpen() ? apply(subscriber, [incoming]) : undefined);
  let failure = firstFailure ?? (await applyOpen());
  while (failure instanceof DatabaseUnavailable && delivery.isOpen() && !subscriber.isStopping()) {
    await waiting.failed(incoming, failure);
    // The broker takes back what is not acknowledged within 30 minutes, and parks what it had to take back too often.
    if (performance.now() - begunAt > subscriber.putBackAfterMs) {
      waiting.over(incoming);
      return putBack(subscriber, delivery);
    }
    failure = await applyOpen();
  }
  waiting.over(incoming);
  if (failure === undefined || failure instanceof DatabaseUnavailable || !delivery.isOpen()) return;
  incoming.taking.failed();
  if (event === undefined || failure instanceof PermanentEventError || failure instanceof ZodError) {
    if (failure instanceof UntrustedEventError) subscriber.untrusted += 1;
    return park(subscriber, delivery, failure, event);
  }
  return retryLater(subscriber, delivery, failure, event);
}
