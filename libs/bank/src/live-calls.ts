/** Notes calls to the bank that requests wait for, so that timed work can make way for them. */
export interface LiveCalls {
  /** A request calls the bank. */
  begun(): void;
  /** Whether requests have called the bank five times or more in the last five seconds. */
  areFrequent(): boolean;
}

const CALLS = 5;
const WITHIN_MS = 5_000;

export function createLiveCalls(): LiveCalls {
  /** When the last five calls began, as values of `performance.now()`. */
  const latest: number[] = [];
  return {
    begun: () => {
      latest.push(performance.now());
      if (latest.length > CALLS) latest.shift();
    },
    areFrequent: () => latest.length === CALLS && performance.now() - (latest[0] ?? 0) < WITHIN_MS,
  };
}
