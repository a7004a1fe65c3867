import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { createBatcher } from '@cobro/async/batcher.ts';
import { within } from '@cobro/async/time-limit.ts';
import { type Envelope, type EventType, MOST_IN_BUNCH, type SentDataOf } from '@cobro/contracts/events.ts';
import { NOTHING_MISSED_MS } from '@cobro/contracts/hold-questions.ts';
import { counter } from '@cobro/metrics/instruments.ts';
import type { Log } from '@cobro/service-kit/log.ts';
import type { ServiceClient } from '@cobro/service-kit/service-client.ts';

/** Runs a function in the context of the process's start, which has no request and so no parent span. */
const untraced = AsyncLocalStorage.snapshot();

const DEADLINE_MS = 150;
const FAILURES_TO_OPEN = 5;
const OPEN_MS = 1_000;

/**
 * Gives an event to its follower before our answer goes out. Resolves within 150 ms. If it writes down a missed event, that may take
 * as long again, and then it waits 100 ms, in which the follower may rely on an earlier answer that nothing is missing (ADR 17).
 * Resolves with whether it was taken or written down, and never rejects.
 */
export type HandOver = (event: Envelope) => Promise<boolean>;

/** Writes down that an event was not handed over. */
export type Missed = (event: Envelope) => Promise<unknown>;

/** The service that gets events of a type, or a rule that finds it by the event's data as sent. */
export type Followers<Service extends string> = {
  readonly [T in EventType]?: Service | ((data: SentDataOf<T>) => Service | undefined);
};

/** Gives each event to the service that `followers` names for it, as a `HandOver` does. */
export function createHandOvers<Service extends string>(options: {
  clients: Readonly<Record<Service, ServiceClient>>;
  followers: Followers<Service>;
  log: Log;
  missed?: Missed | undefined;
}): (events: Envelope[]) => Promise<boolean> {
  const { clients, log, missed } = options;
  const followers = options.followers as Record<string, Service | ((data: unknown) => Service | undefined) | undefined>;
  const handOvers = new Map<Service, HandOver>();
  const handOverTo = (target: Service): HandOver => {
    const handOver = handOvers.get(target) ?? createHandOver({ client: clients[target], log, target, missed });
    handOvers.set(target, handOver);
    return handOver;
  };
  return async (events) => {
    const kept = await Promise.all(
      events.map(async (event) => {
        const named = followers[event.type];
        const target = typeof named === 'function' ? named(event.data) : named;
        return target === undefined || handOverTo(target)(event);
      }),
    );
    return !kept.includes(false);
  };
}

interface Waiting {
  event: Envelope;
  /** A `performance.now()` value. */
  until: number;
  done: (isKept: boolean) => void;
  /** Runs a function in the trace in which the event was given. */
  inItsTrace: <T>(fn: () => T) => T;
}

/** While one bunch is under way, new events gather for the next. */
const BUNCHES_AT_ONCE = 1;
const SLOW_AFTER_MS = 20;

/**
 * A failed hand-over loses nothing, because the broker delivers the same event: readers see the change a little later. Events
 * that come meanwhile go in one call; if that fails, each goes in its own.
 */
export function createHandOver(options: {
  client: ServiceClient;
  log: Log;
  target: string;
  missed?: Missed | undefined;
  /** How long one may take, and after how long another bunch goes beside it: by default 150 and 20 ms. */
  withinMs?: number;
  slowAfterMs?: number;
}): HandOver {
  const { client, log, target, missed, withinMs = DEADLINE_MS, slowAfterMs = SLOW_AFTER_MS } = options;
  const countMissed = counter('cobro.hand_overs.missed');
  let failures = 0;
  let openUntil = 0;
  const isOpen = () => performance.now() < openUntil;
  const logFailed = ({ type, id: eventId }: Envelope, reason: string) =>
    log.warn({ target, type, eventId, reason }, 'hand-over failed');
  const miss = async (event: Envelope, reason: 'failed' | 'late' | 'paused') => {
    countMissed({ target, reason });
    if (reason !== 'failed') logFailed(event, reason);
    if (missed === undefined) return false;
    let isWritten = true;
    await within(withinMs, missed(event)).catch((error: unknown) => {
      isWritten = false;
      log.error({ error, target, type: event.type, eventId: event.id }, 'a missed hand-over was not written down');
    });
    await sleep(NOTHING_MISSED_MS);
    return isWritten;
  };
  /** Resolves with whether the other service took it. If not, the log names `event`. */
  const post = async (path: string, body: unknown, until: number, event: Envelope): Promise<boolean> => {
    try {
      await client.post(path, body, Math.ceil(until - performance.now()));
      failures = 0;
      return true;
    } catch (error) {
      if (++failures >= FAILURES_TO_OPEN) openUntil = performance.now() + OPEN_MS;
      logFailed(event, error instanceof Error ? error.name : 'unknown');
      return false;
    }
  };
  const handOverOne = async ({ event, until, done, inItsTrace }: Waiting) => {
    if (performance.now() >= until) done(await miss(event, 'late'));
    else if (isOpen()) done(await miss(event, 'paused'));
    else done((await inItsTrace(() => post('/internal/events', event, until, event))) || (await miss(event, 'failed')));
  };
  const handOverBunch = async (bunch: [Waiting, ...Waiting[]]) => {
    const until = Math.min(...bunch.map((one) => one.until));
    const events = bunch.map(({ event }) => event);
    // A bunch belongs to no one trace.
    const isTaken = await untraced(() => post('/internal/events/bunch', events, until, bunch[0].event));
    if (isTaken) for (const { done } of bunch) done(true);
    else await Promise.all(bunch.map(handOverOne));
  };
  const bunches = createBatcher<Waiting>({
    work: ([first, ...others]) => (others.length === 0 ? handOverOne(first) : handOverBunch([first, ...others])),
    keyOf: ({ event }) => event.subject,
    atOnce: BUNCHES_AT_ONCE,
    slowAfterMs,
    most: MOST_IN_BUNCH,
  });
  return async (event) => {
    if (isOpen()) return miss(event, 'paused');
    const until = performance.now() + withinMs;
    return new Promise((done) => bunches.add({ event, until, done, inItsTrace: AsyncLocalStorage.snapshot() }));
  };
}
