/** Work that is under way. */
export interface InFlight {
  /** Follows the work until it has ended, and gives it back. */
  add<T>(work: Promise<T>): Promise<T>;
  count(): number;
  /** Resolves when none is under way, whether the work failed or not. */
  idle(): Promise<void>;
}

export function createInFlight(): InFlight {
  const running = new Set<Promise<unknown>>();
  return {
    add: (work) => {
      const end = () => void running.delete(work);
      running.add(work);
      work.then(end, end);
      return work;
    },
    count: () => running.size,
    idle: async () => {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}
