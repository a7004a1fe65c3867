import { setTimeout as sleep } from 'node:timers/promises';

/** The promise's result, or an error if it takes longer than `ms`. The work itself goes on. */
export function within<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`not done within ${ms} ms`));
    // A result that came while this process was busy is taken before the immediate runs.
    const timer = setTimeout(() => setImmediate(late), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Ends after `ms` milliseconds, or at once when the signal is aborted. Never rejects. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => {});

/** Milliseconds to wait after `failures` failures: `firstMs` after none, each time twice as long, `mostMs` at most. */
export const backOff =
  (firstMs: number, mostMs: number) =>
  (failures: number): number =>
    Math.min(mostMs, firstMs * 2 ** failures);
