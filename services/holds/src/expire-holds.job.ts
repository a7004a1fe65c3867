import { backgroundPlace } from '@cobro/bank/bank-places.ts';
import type { Claimed } from '@cobro/bank/journal.ts';
import type { Deps } from './deps.ts';
import type { HoldRow } from './hold.row.ts';
import { alreadyFree } from './hold.rules.ts';
import { lockDueHolds } from './hold.store.ts';

/** So that a replica whose clock is ahead does not release a hold that another replica still lets a merchant capture. */
const CLOCK_SKEW_MS = 10_000;
const AT_ONCE = 20;

/**
 * Releases holds whose window has closed. Each run takes all holds that are due, whatever day they were due on, so a missed run
 * needs no catching up.
 */
export async function expireHolds(deps: Deps): Promise<number> {
  const before = new Date(deps.clock.now().getTime() - CLOCK_SKEW_MS);
  const claims = await deps.db.inTransaction(async (tx) => {
    const claimed = [];
    for (const hold of await lockDueHolds(tx, before, AT_ONCE)) {
      // Check again under the lock: a capture may have been claimed after our snapshot.
      if ((await deps.journal.openOperation(tx, hold.paymentId)) !== undefined) continue;
      const claim = { purpose: 'expire', subjectId: hold.paymentId } as const;
      claimed.push({ hold, claimed: deps.journal.claim(tx, claim, backgroundPlace) });
    }
    return claimed;
  });
  await Promise.all(claims.map((claim) => expire(deps, claim)));
  return claims.length;
}

async function expire(deps: Deps, { hold, claimed }: { hold: HoldRow; claimed: Claimed }): Promise<void> {
  const { bankReference: authorization, paymentId } = hold;
  const ending = await deps.journal.carryOut(claimed, { kind: 'void', authorization });
  if (ending.outcome !== 'declined' || alreadyFree(ending.declineCode)) return;
  const why = { paymentId, outcome: ending.outcome, reason: ending.declineCode };
  deps.log.warn(why, 'the bank did not let a hold expire; the sweep tries again');
}
