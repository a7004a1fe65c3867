/** Works on one batch at a time. What is added meanwhile becomes the next batch. */
export function inBatches<T>(work: (batch: T[]) => Promise<void>) {
  let waiting: T[] = [];
  let running: Promise<void> | undefined;
  const run = async () => {
    while (waiting.length > 0) {
      // Waits for the other items of this turn of the event loop, which belong to the same batch.
      await Promise.resolve();
      const batch = waiting;
      waiting = [];
      await work(batch);
    }
    running = undefined;
  };
  return {
    /** `work` must not reject. */
    add: (item: T): void => {
      waiting.push(item);
      running ??= run();
    },
    /** Resolves when nothing is in work. */
    idle: async (): Promise<void> => running,
  };
}
