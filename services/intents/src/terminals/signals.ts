/** One who waits, and looks at each signal for what it waits for. A signal that comes while it looks is kept for the next look. */
export interface Waiter<Look> {
  /** Has it look once more. Gives what that look brought; undefined where it waits no longer. */
  signal(): Promise<Look | undefined>;
  /** Resolves at the next signal, with how to say what the look brought. Undefined where the time is over, or the waiting was ended. */
  next(): Promise<((look: Look) => void) | undefined>;
  end(): void;
}

/** Those who wait, by what they wait for. Waiting costs memory only: nobody looks without a signal. */
export interface Signals<Look> {
  /** Begins to wait for signals of each of these keys. Look for the first time after this was called. */
  wait(keys: readonly string[], ms: number): Waiter<Look>;
  /** Those who have waited longest come first. */
  waitingFor(key: string): Waiter<Look>[];
  all(): Waiter<Look>[];
}

export function createSignals<Look>(): Signals<Look> {
  const all = new Set<Waiter<Look>>();
  const byKey = new Map<string, Set<Waiter<Look>>>();
  const leave = (key: string, waiter: Waiter<Look>) => {
    const others = byKey.get(key);
    if (others?.delete(waiter) === true && others.size === 0) byKey.delete(key);
  };
  return {
    wait: (keys, ms) => {
      const signals: ((look: Look | undefined) => void)[] = [];
      let isOver = false;
      let wake = () => {};
      const waiter: Waiter<Look> = {
        signal: () =>
          new Promise((looked) => {
            if (isOver) return looked(undefined);
            signals.push(looked);
            wake();
          }),
        next: async () => {
          if (signals.length === 0 && !isOver) await new Promise<void>((resolve) => (wake = resolve));
          return signals.shift();
        },
        end: () => {
          isOver = true;
          clearTimeout(timer);
          all.delete(waiter);
          for (const key of keys) leave(key, waiter);
          for (const looked of signals.splice(0)) looked(undefined);
          wake();
        },
      };
      const timer = setTimeout(waiter.end, ms);
      all.add(waiter);
      for (const key of keys) byKey.set(key, (byKey.get(key) ?? new Set()).add(waiter));
      return waiter;
    },
    waitingFor: (key) => [...(byKey.get(key) ?? [])],
    all: () => [...all],
  };
}
