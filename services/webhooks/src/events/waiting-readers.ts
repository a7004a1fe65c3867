import { createSignals, type Waiter } from '@cobro/async/signals.ts';

/** Merchants who wait for events at this replica. */
export interface WaitingReaders {
  /** Begins to wait for events of this organization. Call it before the first look. */
  wait(organizationId: string, ms: number): Waiter<void>;
  /** An event of this organization may have come. */
  wake(organizationId: string): void;
  /** Anything may have come. */
  wakeAll(): void;
  isAnyone(): boolean;
  /** Ends all waiting; from now on nobody waits. */
  drain(): void;
}

/** One more ends the merchant's oldest wait, so that lost connections take no room from others. */
const MOST_OF_ONE = 32;

export function createWaitingReaders(): WaitingReaders {
  const signals = createSignals<void>();
  let isDraining = false;
  const wake = (waiters: Waiter<void>[]) => waiters.forEach((waiter) => void waiter.signal());
  return {
    wait: (organizationId, ms) => {
      const [first, ...others] = signals.waitingFor(organizationId);
      if (others.length + 1 >= MOST_OF_ONE) first?.end();
      return signals.wait([organizationId], isDraining ? 0 : ms);
    },
    wake: (organizationId) => wake(signals.waitingFor(organizationId)),
    wakeAll: () => wake(signals.all()),
    isAnyone: () => signals.all().length > 0,
    drain: () => {
      isDraining = true;
      for (const waiter of signals.all()) waiter.end();
    },
  };
}
