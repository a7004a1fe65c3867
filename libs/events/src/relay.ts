import { pause, within } from '@cobro/async/time-limit.ts';
import type { Relaying } from './publish-event.ts';
import { BATCH, LEFT_AFTER_S, relayBatch, type Unroutable } from './relay-batch.ts';
import type { MemoryRelay } from './relay-from-memory.ts';

export interface Relay {
  /** Makes the relay read now, because a process without a relay has written into the outbox. */
  nudge: () => void;
  stop: () => Promise<void>;
}

/** The pause between two checks whether the broker or the database is back. */
const AWAY_PAUSE_MS = 500;

/** Publishes events that `relayFromMemory` left in the outbox, here or in another process. Waits while broker or database is away. */
export function startRelay(
  deps: Relaying & {
    memory: MemoryRelay;
    pollMs: number;
    /** How long the relay goes on after `stop` while there is work, because the writers may not have stopped yet. */
    lastPassesMs: number;
  },
): Relay {
  const { broker, log, memory, pollMs, lastPassesMs } = deps;
  const backedOff: Unroutable = new Map();
  const stop = new AbortController();
  /** `nudged` is true while the outbox has or may have rows that no pass has read yet. */
  const state = { nudged: true };
  let alarm = new AbortController();
  let failing = false;
  const pauseWhileAway = () => pause(AWAY_PAUSE_MS, stop.signal);

  const pass = async (olderThanS: number) => {
    if (!broker.canPublish()) return pauseWhileAway();
    const knownWork = state.nudged;
    // Cleared before the read, because a nudge from now on is for a row that the read may miss.
    state.nudged = false;
    await memory.forget();
    const { read, interrupted } = await relayBatch(deps, backedOff, {
      olderThanS,
      besides: memory.aggregates(),
      knownWork,
    });
    if (read === BATCH && !interrupted) state.nudged = true;
  };

  const run = async () => {
    while (!stop.signal.aborted) {
      if (!state.nudged) {
        alarm = new AbortController();
        await pause(pollMs, alarm.signal);
      }
      try {
        await pass(LEFT_AFTER_S);
        failing = false;
      } catch (error) {
        if (!failing) log.warn({ event: 'relay_waits', error }, 'the outbox cannot be read; trying on');
        failing = true;
        state.nudged = true;
        await pauseWhileAway();
      }
    }
    // Publishes what committed just before the stop, so that it need not wait for the next start.
    const end = Date.now() + lastPassesMs;
    await within(lastPassesMs, memory.idle()).catch(() => {});
    state.nudged = true;
    while (state.nudged && broker.canPublish() && Date.now() < end) await pass(0);
  };
  const running = run();

  return {
    nudge: () => {
      state.nudged = true;
      alarm.abort();
    },
    stop: async () => {
      stop.abort();
      alarm.abort();
      await running.catch(() => {});
    },
  };
}
