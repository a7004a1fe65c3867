import { backOff } from '@cobro/async/time-limit.ts';
import type { Log } from './log.ts';

/**
 * How a subscription waits while its database is sick. Only one of the waiting events or batches is tried at a time, after growing
 * pauses, until the database takes one.
 */
export interface Waiting {
  /** True while an event waits because the database could not take it. */
  isWaiting(): boolean;
  /** For work that has not been tried yet. Resolves at once, or during a pause when it is this work's turn. */
  turn(): Promise<void>;
  /** The database could not take this event. Resolves when the event is to be tried again. */
  failed(event: object, error: unknown): Promise<void>;
  /** The database has taken something, so the pause is over. */
  succeeded(): void;
  /** This event waits no longer: it was applied, failed for another reason, or is left to another process. */
  over(event: object): void;
  /** Ends all waits, so that the work sees that the subscription stops. */
  stop(): void;
}

const pauseAfter = backOff(250, 5_000);

interface Waiter {
  /** Undefined for work that has not been tried yet. */
  event?: object;
  go: () => void;
}

/** Logs once that events wait, and once that none waits any more. */
function openReport({ queue, log }: { queue: string; log: Log }) {
  let begunAt = 0;
  return {
    begin: (error: unknown) => {
      begunAt = performance.now();
      log.warn({ event: 'events_wait', queue, error }, 'the database cannot take events now; they wait');
    },
    end: () => {
      const durationMs = Math.round(performance.now() - begunAt);
      log.info({ event: 'events_go_on', queue, durationMs }, 'the database takes events again');
    },
  };
}

export function openWaiting(options: { queue: string; log: Log }): Waiting {
  const report = openReport(options);
  /** How often the database has refused each event that waits. */
  const failures = new Map<object, number>();
  /** Events that have failed before and are being tried again now. */
  const tried = new Set<object>();
  const waiters = new Set<Waiter>();
  let isPaused = false;
  /** Failures since the pause began, except the first. */
  let failuresInPause = 0;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const release = (waiter: Waiter) => {
    waiters.delete(waiter);
    if (waiter.event !== undefined) tried.add(waiter.event);
    waiter.go();
  };
  const failuresOf = ({ event }: Waiter) => (event === undefined ? 0 : (failures.get(event) ?? 0));
  /** Tries the waiter with the fewest failures, so that an event whose row stays locked does not hold up the others. */
  const tryNext = () => {
    const [next] = [...waiters].toSorted((a, b) => failuresOf(a) - failuresOf(b));
    if (next !== undefined && tried.size === 0) release(next);
  };
  const tryLater = () => {
    if (waiters.size === 0) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      tryNext();
      tryLater();
    }, pauseAfter(failuresInPause));
  };
  const wait = (event?: object) =>
    new Promise<void>((go) => {
      waiters.add(event === undefined ? { go } : { event, go });
      tryLater();
    });
  return {
    isWaiting: () => failures.size > 0,
    turn: async () => {
      if (isPaused && !isStopped) await wait();
    },
    failed: async (event, error) => {
      if (failures.size === 0) report.begin(error);
      failures.set(event, (failures.get(event) ?? 0) + 1);
      tried.delete(event);
      if (isPaused) failuresInPause++;
      isPaused = true;
      if (!isStopped) await wait(event);
    },
    succeeded: () => {
      isPaused = false;
      failuresInPause = 0;
      for (const waiter of waiters) if (waiter.event === undefined) release(waiter);
      tryNext();
    },
    over: (event) => {
      tried.delete(event);
      if (!isPaused) tryNext();
      if (failures.delete(event) && failures.size === 0) report.end();
    },
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
      for (const waiter of waiters) release(waiter);
    },
  };
}
