/** The last keys that were added, up to `most`. */
export interface Recent {
  has(key: string): boolean;
  add(key: string): void;
}

export function keepRecent(most: number): Recent {
  const keys = new Set<string>();
  return {
    has: (key) => keys.has(key),
    add: (key) => {
      keys.add(key);
      if (keys.size > most) keys.delete(keys.values().next().value ?? '');
    },
  };
}
