/** The last keys that were added, up to `most`. */
export interface Recent {
  has(key: string): boolean;
  add(key: string): void;
}

/** `forMs`: how long a key is kept at most, by real time. */
export function keepRecent(most: number, forMs = Number.POSITIVE_INFINITY): Recent {
  const added = new Map<string, number>();
  return {
    has: (key) => performance.now() - (added.get(key) ?? Number.NEGATIVE_INFINITY) < forMs,
    add: (key) => {
      added.set(key, performance.now());
      if (added.size > most) added.delete(added.keys().next().value ?? '');
    },
  };
}
