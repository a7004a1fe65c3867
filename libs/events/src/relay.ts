import { setTimeout as sleep } from 'node:timers/promises';
import { BATCH, relayBatch, type Relaying, type Unroutable } from './relay-batch.ts';

export interface Relay {
  /** Tells the relay that something has been committed to the outbox. */
  nudge: () => void;
  stop: () => Promise<void>;
}

/**
 * Publishes events after their commit: at once when nudged, and at the next poll whatever else is in the outbox (from a process
 * that died, or from an admin command). Waits while the broker or the database is away.
 */
export function startRelay(
  deps: Relaying & {
    pollMs: number;
    /** How long the relay goes on after `stop` while there is work, because the writers may not have stopped yet. */
    lastPassesMs: number;
  },
): Relay {
  const { broker, log, pollMs, lastPassesMs } = deps;
  const backedOff: Unroutable = new Map();
  const stop = new AbortController();
  /** `nudged` is true while the outbox may have rows that no pass has read yet. */
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
    // Cleared before the read, because a nudge from now on tells of a row that the read may miss.
    const knownWork = state.nudged;
    state.nudged = false;
    const { read, interrupted } = await relayBatch(deps, backedOff, knownWork);
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
    // Publishes what committed just before the stop, so that it need not wait for the next start.
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
