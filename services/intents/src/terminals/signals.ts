/** Lets requests wait until somebody says that something they wait for may have happened. */
export interface Signals {
  /** Resolves at the next signal for the key, or after the time. Ask what you wait for once more after this was called. */
  next(key: string, ms: number): { came: Promise<void>; cancel: () => void };
  signal(key: string): void;
  signalAll(): void;
}

export function createSignals(): Signals {
  const waiting = new Map<string, Set<() => void>>();
  const signal = (key: string) => waiting.get(key)?.forEach((wake) => wake());
  return {
    next: (key, ms) => {
      const { promise: came, resolve } = Promise.withResolvers<void>();
      const those = waiting.get(key) ?? new Set();
      waiting.set(key, those);
      const cancel = () => {
        clearTimeout(timer);
        those.delete(cancel);
        if (those.size === 0 && waiting.get(key) === those) waiting.delete(key);
        resolve();
      };
      const timer = setTimeout(cancel, ms);
      those.add(cancel);
      return { came, cancel };
    },
    signal,
    signalAll: () => [...waiting.keys()].forEach(signal),
  };
}
