/** Works on items with the same key one after the other, in their order, and on items with different keys at the same time. */
export async function eachInItsTurn<T>(
  items: T[],
  keyOf: (item: T) => string,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const turns = [...Map.groupBy(items, keyOf).values()];
  await Promise.all(
    turns.map(async (inOrder) => {
      for (const item of inOrder) await work(item);
    }),
  );
}

/** Runs work with the same key one after the other, in the order in which it is given. */
export function inTurns() {
  const last = new Map<string, Promise<void>>();
  return {
    isTaken: (key: string): boolean => last.has(key),
    keys: (): string[] => [...last.keys()],
    /** `work` must not reject. */
    take: (key: string, work: () => Promise<void>): void => {
      const before = last.get(key);
      const done = (before === undefined ? work() : before.then(work)).finally(() => {
        if (last.get(key) === done) last.delete(key);
      });
      last.set(key, done);
    },
    /** Resolves when nothing is in work. */
    idle: async (): Promise<void> => {
      while (last.size > 0) await Promise.all(last.values());
    },
  };
}
