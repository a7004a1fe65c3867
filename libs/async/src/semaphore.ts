/** How long work waits, and the error with which it fails then. */
interface Patience {
  withinMs: number;
  refusal: () => Error;
}

export interface SemaphoreOptions {
  permits: number;
  /** The most permits of one key; all of them unless given. Work without a key counts in the sum only. */
  perKey?: number;
  /** Without it work waits for a permit for ever. */
  patience?: Patience;
}

/**
 * Bounds how much is under way at once. Keys that wait take turns; work of one key begins in the order in which it came. No package
 * (p-limit, p-queue, cockatiel) bounds the wait for a permit, or has shares and turns by key.
 */
export interface Semaphore {
  /** Runs the work as soon as there is a permit for it. */
  run<T>(work: () => Promise<T>, key?: string): Promise<T>;
  /** For work without a promise: takes a permit if there is one. */
  tryAcquire(key?: string): boolean;
  /** Calls `begin`, which then has a permit, or `late` if none came free in time. */
  wait(key: string | undefined, begin: () => void, late: (error: Error) => void): void;
  /** Gives back what `tryAcquire` or `wait` took. */
  release(key?: string): void;
}

export function createSemaphore({ permits, perKey = permits, patience }: SemaphoreOptions): Semaphore {
  let taken = 0;
  const takenBy = new Map<string, number>();
  /** Waiting work by key. The key whose turn it is comes first. */
  const queues = new Map<string | undefined, Set<() => void>>();

  const isFreeFor = (key: string | undefined) =>
    taken < permits && (key === undefined || (takenBy.get(key) ?? 0) < perKey);
  const count = (key: string | undefined, change: 1 | -1) => {
    taken += change;
    if (key === undefined) return;
    const now = (takenBy.get(key) ?? 0) + change;
    if (now > 0) takenBy.set(key, now);
    else takenBy.delete(key);
  };
  const tryAcquire = (key?: string) => {
    const isFree = isFreeFor(key);
    if (isFree) count(key, 1);
    return isFree;
  };
  const wait: Semaphore['wait'] = (key, begin, late) => {
    const queue = queues.get(key) ?? new Set();
    const leave = () => {
      clearTimeout(timer);
      queue.delete(enter);
      if (queue.size === 0 && queues.get(key) === queue) queues.delete(key);
    };
    const enter = () => {
      leave();
      count(key, 1);
      begin();
    };
    const giveUp = ({ refusal }: Patience) => {
      leave();
      late(refusal());
    };
    const timer = patience && setTimeout(giveUp, patience.withinMs, patience);
    queues.set(key, queue.add(enter));
  };
  const release = (key?: string) => {
    count(key, -1);
    for (const [waiting, queue] of queues) {
      if (!isFreeFor(waiting)) continue;
      queues.delete(waiting);
      queues.set(waiting, queue);
      const [enter] = queue;
      return enter?.();
    }
  };
  return {
    run: async (work, key) => {
      if (!tryAcquire(key)) await new Promise<void>((resolve, reject) => wait(key, resolve, reject));
      try {
        return await work();
      } finally {
        release(key);
      }
    },
    tryAcquire,
    wait,
    release,
  };
}
