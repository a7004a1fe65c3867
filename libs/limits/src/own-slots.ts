import { dropFromFront, putLast } from './bounded-map.ts';

/** A limit of slots under one key. */
export interface SlotLimit {
  key: string;
  most: number;
  /** The limit is only checked for room; no slot is reserved. */
  isLookedAt?: boolean;
}

/** A full limit: its index among those asked for, and when it has room. */
export interface Full {
  index: number;
  waitMs: number;
}

/** The slots that this process knows of. If there are too many keys, those unused for longest are forgotten. */
export interface OwnSlots {
  /** Reserves a slot under every key, or none if one is full; returns undefined if all have one. An id needs one slot only. */
  reserve(id: string, limits: readonly SlotLimit[]): Full | undefined;
  free(id: string, limits: readonly SlotLimit[]): void;
}

/** When each slot of one key was reserved, the oldest first. */
type Taken = Map<string, number>;

/** @param now real time in milliseconds; monotonic */
export function createOwnSlots(options: { windowMs: number; most: number; now: () => number }): OwnSlots {
  const { windowMs, most, now } = options;
  const slots = new Map<string, Taken>();
  const takenOf = (key: string, at: number): Taken => {
    const taken = slots.get(key) ?? new Map<string, number>();
    dropFromFront(taken, (takenAt) => takenAt + windowMs <= at);
    return taken;
  };
  return {
    reserve: (id, limits) => {
      const at = now();
      dropFromFront(slots, (taken) => [...taken.values()].every((takenAt) => takenAt + windowMs <= at));
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
      for (const { key, isLookedAt } of limits) {
        if (isLookedAt) continue;
        const taken = takenOf(key, at);
        putLast(slots, most, key, taken.has(id) ? taken : taken.set(id, at));
      }
      return undefined;
    },
    free: (id, limits) => {
      for (const { key } of limits) slots.get(key)?.delete(id);
    },
  };
}
