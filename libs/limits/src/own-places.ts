import { dropFromFront, putLast } from './bounded-map.ts';

/** A limit of places under one key. */
export interface PlaceLimit {
  key: string;
  most: number;
}

/** A limit that is reached: which of those asked for, and when it has room again. */
export interface Full {
  index: number;
  waitMs: number;
}

/** The places that this process knows of. One that is full forgets the keys that have been still the longest. */
export interface OwnPlaces {
  /** Takes a place under every key, or none; undefined where it did. An id that has its place already needs no other. */
  take(id: string, limits: readonly PlaceLimit[]): Full | undefined;
  giveBack(id: string, limits: readonly PlaceLimit[]): void;
}

/** Of one key: when each place was taken, the oldest first. */
type Taken = Map<string, number>;

/** @param now real time in milliseconds; monotonic */
export function createOwnPlaces(options: { windowMs: number; most: number; now: () => number }): OwnPlaces {
  const { windowMs, most, now } = options;
  const places = new Map<string, Taken>();
  const takenOf = (key: string, at: number): Taken => {
    const taken = places.get(key) ?? new Map<string, number>();
    dropFromFront(taken, (takenAt) => takenAt + windowMs <= at);
    return taken;
  };
  return {
    take: (id, limits) => {
      const at = now();
      dropFromFront(places, (taken) => [...taken.values()].every((takenAt) => takenAt + windowMs <= at));
      let full: Full | undefined;
      for (const [index, { key, most: limit }] of limits.entries()) {
        const taken = takenOf(key, at);
        if (taken.has(id)) continue;
        // Room comes when enough slots have run out to leave one fewer than the limit.
        const binding = [...taken.values()].at(-limit);
        const waitMs = binding === undefined ? 0 : binding + windowMs - at;
        if (waitMs > (full?.waitMs ?? 0)) full = { index, waitMs };
      }
      if (full !== undefined) return full;
      for (const { key } of limits) {
        const taken = takenOf(key, at);
        putLast(places, most, key, taken.has(id) ? taken : taken.set(id, at));
      }
      return undefined;
    },
    giveBack: (id, limits) => {
      for (const { key } of limits) places.get(key)?.delete(id);
    },
  };
}
