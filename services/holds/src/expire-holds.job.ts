import { backgroundCalls, backgroundPlace } from '@cobro/bank/bank-places.ts';
import type { Claimed } from '@cobro/bank/journal.ts';
import { startFlow, type WorkResult } from '@cobro/service-kit/flow.ts';
import type { Job } from '@cobro/service-kit/job.ts';
import type { Deps } from './deps.ts';
import type { HoldRow } from './hold.row.ts';
import { alreadyFree } from './hold.rules.ts';
import { holdSubject, lockDueHolds } from './hold.store.ts';
import { settleHold } from './settle-hold.ts';
import { createSweepPace } from './sweep-pace.ts';

/** So that a replica whose clock is ahead does not release a hold that another replica still lets a merchant capture. */
const CLOCK_SKEW_MS = 10_000;

export type Expiry = Claimed<HoldRow>;

/**
 * Releases holds whose window has closed, as a flow: a hold whose void is slow keeps no other hold waiting, and all of them make
 * way for requests.
 */
export function expireHolds(deps: Deps): Job {
  const { pace, learn } = createSweepPace(deps.payments, deps.journal.isBankCalledLive);
  return startFlow({
    name: 'expire-holds',
    everyMs: 1_000,
    log: deps.log,
    ...backgroundCalls,
    isPaused: deps.journal.isBankAway,
    pace,
    take: async (count) => {
      const claimed = await claimExpiries(deps, count);
      const closed = claimed.map(({ row }) => row.expiresAt.getTime());
      if (closed.length > 0) learn(deps.clock.now().getTime() - Math.max(...closed));
      return claimed;
    },
    work: (expiry) => expire(deps, expiry),
  });
}

/**
 * Claims at most so many of the holds that are due, in one transaction. They may have been due on any day, so a missed run needs
 * no catching up.
 */
export function claimExpiries(deps: Deps, count: number): Promise<Expiry[]> {
  const before = new Date(deps.clock.now().getTime() - CLOCK_SKEW_MS);
  return deps.db.inTransaction(async (tx) => {
    const due = await lockDueHolds(tx, before, count);
    if (due.length === 0) return [];
    // A statement after the lock, because a capture may have been claimed after the snapshot of the first one.
    const claims = { purpose: 'expire', subject: holdSubject, rows: due } as const;
    return deps.journal.claimEach(tx, claims, backgroundPlace);
  });
}

export async function expire(deps: Deps, claimed: Expiry): Promise<WorkResult> {
  const { bankReference: authorization, paymentId } = claimed.row;
  const ending = await deps.journal.carryOut(claimed, { kind: 'void', authorization }, settleHold);
  if (ending.outcome === 'not_sent') return 'refused';
  if (ending.outcome === 'declined' && !alreadyFree(ending.declineCode)) {
    const why = { paymentId, outcome: ending.outcome, reason: ending.declineCode };
    deps.log.warn(why, 'the bank did not let a hold expire; the sweep tries again');
  }
  return 'done';
}
