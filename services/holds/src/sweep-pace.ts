import { paceBesideRequests } from '@cobro/bank/bank-permits.ts';
import { liveCallsAnswer } from '@cobro/contracts/hold-questions.ts';
import { askForLiveCalls } from '@cobro/contracts/routes/internal.ts';
import type { FlowPace } from '@cobro/service-kit/flow.ts';
import type { ServiceClient } from '@cobro/service-kit/service-client.ts';

/** How fast the sweep may go: as fast as it can where it is known that hardly any requests call the bank, or it is late. */
export interface SweepPace {
  /** The pace beside requests; undefined where there need be none. */
  pace(): FlowPace | undefined;
  /**
   * Finds out whether requests call the bank, at most once a second. To be called while there are holds to release; `lateMs` is how long
   * ago the windows of those that are being released have closed, the latest of them.
   */
  learn(lateMs: number): void;
}

const ASK_EVERY_MS = 1_000;
/** An answer is believed for so long, so that one that comes late changes nothing. */
const BELIEVED_MS = 3_000;
/**
 * The bank closes half an hour after the windows. Holds that might be late for it do not make way; those that it has closed by itself
 * do again.
 */
const LATE_MS = { from: 9 * 60_000, to: 30 * 60_000 };

/** Asks payments, where nearly all such requests are. `isCalledLive` knows of captures and releases in this process. */
export function createSweepPace(payments: ServiceClient, isCalledLive: () => boolean): SweepPace {
  let askedAt = Number.NEGATIVE_INFINITY;
  let aloneUntil = Number.NEGATIVE_INFINITY;
  let isLate = false;
  const ask = async () => {
    const answer = liveCallsAnswer.parse(await payments.get(askForLiveCalls.path, askedAt + ASK_EVERY_MS));
    aloneUntil = answer.areFrequent ? Number.NEGATIVE_INFINITY : performance.now() + BELIEVED_MS;
  };
  return {
    pace: () => {
      const isAlone = performance.now() < aloneUntil && !isCalledLive();
      return isAlone || isLate ? undefined : paceBesideRequests;
    },
    learn: (lateMs) => {
      isLate = lateMs > LATE_MS.from && lateMs < LATE_MS.to;
      if (performance.now() - askedAt < ASK_EVERY_MS) return;
      askedAt = performance.now();
      // Payments that does not answer may be busy, so the sweep goes on slowly.
      ask().catch(() => {});
    },
  };
}
