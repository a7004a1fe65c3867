import { pause } from './time-limit.ts';

/** Wakes a polling loop early when there is work. */
export interface Waker {
  wake(): void;
  /** Ends after `leastMs` if woken since the last pause; else when woken, after `mostMs`, or when the signal is aborted. */
  pause(leastMs: number, mostMs: number, signal: AbortSignal): Promise<void>;
}

export function createWaker(): Waker {
  let isWoken = false;
  let end: () => void = () => {};
  return {
    wake: () => {
      isWoken = true;
      end();
    },
    pause: async (leastMs, mostMs, signal) => {
      await pause(leastMs, signal);
      const woken = new AbortController();
      end = () => woken.abort();
      if (!isWoken) await pause(mostMs - leastMs, AbortSignal.any([signal, woken.signal]));
      isWoken = false;
    },
  };
}
