import { paceBesideRequests } from '@cobro/bank/bank-permits.ts';
import { liveCallsAnswer } from '@cobro/contracts/hold-questions.ts';
import { askForLiveCalls } from '@cobro/contracts/routes/internal.ts';
import type { FlowPace } from '@cobro/service-kit/flow.ts';
import type { ServiceClient } from '@cobro/service-kit/service-client.ts';

/** How fast the sweep may go: without pauses if it is late or hardly any requests are known to call the bank. */
export interface SweepPace {
  /** The pace beside requests; undefined if none is needed. */
  pace(): FlowPace | undefined;
  /**
   * Asks whether requests call the bank, at most once a second. To be called while there are holds to release; `lateMs` is how long
   * ago the hold that ended last among them ended.
   */
  learn(lateMs: number): void;
}

const ASK_EVERY_MS = 1_000;
/** How long an answer counts, so that one late answer changes nothing. */
const BELIEVED_MS = 3_000;
/**
 * The bank closes half an hour after the windows. Holds that might miss that do not make way; after it, holds make way again, because
 * the bank has closed them itself.
 */
const LATE_MS = { from: 9 * 60_000, to: 30 * 60_000 };

/** Asks payments, which makes nearly all live calls. `isCalledLive` covers captures and releases in this process. */
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
      // If payments does not answer, it may be busy, so the sweep goes on slowly.
      ask().catch(() => {});
    },
  };
}
