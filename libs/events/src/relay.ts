import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@cobro/postgres/database.ts';
import type { Broker } from './broker.ts';
import type { Log } from './log.ts';
import { BATCH, relayBatch, type Unroutable } from './relay-batch.ts';

export interface Relay {
  /** Something has been committed to the outbox. */
  nudge: () => void;
  stop: () => Promise<void>;
}

/**
 * Publishes what commits to the outbox: at once when nudged, and whatever else is there (of a process that died, of a tool)
 * at the next poll. It waits while the broker or the database is away.
 */
export function startRelay(deps: {
  db: Database;
  broker: Broker;
  log: Log;
  pollMs: number;
  /** How long it goes on after `stop`, while there is work: the writers may not have stopped yet. */
  lastPassesMs: number;
}): Relay {
  const { broker, log, pollMs, lastPassesMs } = deps;
  const held: Unroutable = new Map();
  const stop = new AbortController();
  /** nudged: there may be rows that were not read yet. */
  const state = { nudged: true };
  let wake: () => void = () => {};
  let failing = false;

  const untilNudged = () =>
    state.nudged || stop.signal.aborted
      ? undefined
      : new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, pollMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });

  const pass = async () => {
    if (!broker.canPublish()) return sleep(pollMs);
    // Cleared before the read: a nudge from now on means a row that the read may have missed.
    const knownWork = state.nudged;
    state.nudged = false;
    const { read, interrupted } = await relayBatch(deps, held, knownWork);
    if (read === BATCH && !interrupted) state.nudged = true;
  };

  const run = async () => {
    while (!stop.signal.aborted) {
      await untilNudged();
      try {
        await pass();
        failing = false;
      } catch (error) {
        if (!failing) log.warn({ event: 'relay_waits', error }, 'the outbox cannot be read; trying on');
        failing = true;
        state.nudged = true;
        await sleep(pollMs);
      }
    }
    // What committed just before the stop need not wait for the next start.
    for (const end = Date.now() + lastPassesMs; state.nudged && broker.canPublish() && Date.now() < end;) await pass();
  };
  const running = run();

  return {
    nudge: () => {
      state.nudged = true;
      wake();
    },
    stop: async () => {
      stop.abort();
      wake();
      await running.catch(() => {});
    },
  };
}
