import { backgroundCalls, backgroundPermit } from '@cobro/bank/bank-permits.ts';
import type { Claimed } from '@cobro/bank/journal.ts';
import { startFlow, type WorkResult } from '@cobro/service-kit/flow.ts';
import type { Job } from '@cobro/service-kit/job.ts';
import type { Deps } from './deps.ts';
import type { HoldRow } from './hold.row.ts';
import { alreadyFree, CLOCK_SKEW_MS, endsAt } from './hold.rules.ts';
import { lockingDueHolds } from './hold.store.ts';
import { settleHold } from './settle-hold.ts';
import { createSweepPace } from './sweep-pace.ts';

export type Expiry = Claimed<HoldRow>;

/** Voids holds that have ended, in one flow per acquirer, so that a silent acquirer delays only its own holds. */
export function expireHolds(deps: Deps): Job {
  const flows = deps.journal.acquirers.map((acquirer) => expireHoldsAt(deps, acquirer));
  return { stop: async () => void (await Promise.all(flows.map((flow) => flow.stop()))) };
}

/** Runs as a flow: a slow void does not delay other holds, and all of them make way for requests. */
function expireHoldsAt(deps: Deps, acquirer: string): Job {
  const { pace, learn } = createSweepPace(deps.payments, deps.journal.isBankCalledLive);
  return startFlow({
    name: 'expire-holds',
    everyMs: 1_000,
    log: deps.log,
    ...backgroundCalls,
    isPaused: () => deps.journal.isAway(acquirer),
    pace,
    take: async (count) => {
      const claimed = await claimExpiries(deps, acquirer, count);
      const ended = claimed.map(({ row }) => endsAt(row).getTime());
      if (ended.length > 0) learn(deps.clock.now().getTime() - Math.max(...ended));
      return claimed;
    },
    work: (expiry) => expire(deps, expiry),
  });
}

/**
 * Claims at most `most` of an acquirer's holds that are due. They may have been due on any day, so a missed run needs no catching up.
 */
export function claimExpiries({ clock, journal }: Deps, acquirer: string, most: number): Promise<Expiry[]> {
  const before = new Date(clock.now().getTime() - CLOCK_SKEW_MS);
  const locking = lockingDueHolds(acquirer, before, most);
  return journal.claimEach({ purpose: 'expire', locking, most }, backgroundPermit(acquirer));
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
