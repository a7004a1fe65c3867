import { dropFromFront, putLast } from './bounded-map.ts';

/** A window's state. */
export interface Counted {
  count: number;
  /** Milliseconds until it ends. */
  leftMs: number;
}

/** What Redis replied about the same window, and when it was asked, by the clock of this process. */
export interface Reported extends Counted {
  askedAt: number;
}

interface Window {
  count: number;
  endsAt: number;
}

/** The windows that this process knows of. If there are too many, those that began first are forgotten. */
export interface OwnWindows {
  /** Counts a request, and learns what Redis counted, so that this process goes on from there without Redis. */
  count(key: string, reported: Reported | undefined, weight?: number): Counted;
  /** Takes back a weight if the key's window is still open. */
  takeBack(key: string, weight: number): void;
}

/** @param now real time in milliseconds; monotonic */
export function createOwnWindows(options: { windowMs: number; most: number; now: () => number }): OwnWindows {
  const { windowMs, most, now } = options;
  const windows = new Map<string, Window>();
  const windowOf = (key: string, at: number): Window => {
    const known = windows.get(key);
    if (known !== undefined && known.endsAt > at) return known;
    dropFromFront(windows, ({ endsAt }) => endsAt <= at);
    const begun = { count: 0, endsAt: at + windowMs };
    putLast(windows, most, key, begun);
    return begun;
  };
  return {
    count: (key, reported, weight = 1) => {
      const at = now();
      const window = windowOf(key, at);
      window.count += weight;
      if (reported !== undefined) {
        // Redis replied at `askedAt` or later, so its window ends no sooner. If it ends later than ours, it began within ours.
        window.endsAt = Math.min(window.endsAt, reported.askedAt + reported.leftMs);
        window.count = Math.max(window.count, reported.count);
      }
      return { count: window.count, leftMs: Math.max(0, window.endsAt - at) };
    },
    takeBack: (key, weight) => {
      const window = windows.get(key);
      if (window !== undefined && window.endsAt > now()) window.count = Math.max(0, window.count - weight);
    },
  };
}
