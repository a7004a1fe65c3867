import { paceBesideRequests } from '@cobro/bank/bank-permits.ts';
import { liveCallsAnswer } from '@cobro/contracts/hold-questions.ts';
import { askForLiveCalls } from '@cobro/contracts/routes/internal.ts';
import type { FlowPace } from '@cobro/service-kit/flow.ts';
import type { ServiceClient } from '@cobro/service-kit/service-client.ts';

/** How fast the sweep may go: without pauses if it is late, or if known to be nearly alone at the bank. */
export interface SweepPace {
  /** The pace beside requests; undefined: without pauses. */
  pace(): FlowPace | undefined;
  /**
   * Asks whether requests call the bank, at most once a second. To be called while there are holds to void; `lateMs`: how long ago
   * the latest of them ended.
   */
  learn(lateMs: number): void;
}

const ASK_EVERY_MS = 1_000;
/** How long an answer counts, so that one late answer changes nothing. */
const BELIEVED_MS = 3_000;
/**
 * The bank itself ends holds half an hour after their windows. Until then, late holds do not make way for requests; later they do
 * again.
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
