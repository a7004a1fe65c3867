import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { resumeSubscription as contract } from '@cobro/contracts/routes/subscriptions.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { lockOwnSubscription, ownSubscription } from './own-subscription.ts';
import type { SubscriptionRow } from './subscription.row.ts';
import { currentNumber, refuseEnded, showSubscription } from './subscription.rules.ts';
import { type Changes, changeLocked } from './subscription.store.ts';

/** POST /subscription/{id}/resume: ends a pause, and undoes a cancellation at the period's end. Charges nothing new. */
export async function resumeSubscription(
  { db, clock }: Deps,
  { caller: { organizationId }, params: { id }, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const now = clock.now();
  const own = { organizationId, id, now };
  const resumed = await db.inTransaction(async (tx) => {
    const row = await lockOwnSubscription(tx, own);
    readBody();
    refuseEnded(row);
    if (row.pausedAt === null && row.cancelsAt === null) return row;
    changeLocked(tx, id, { cancelsAt: null, ...(row.pausedAt !== null && afterPause(row, now)) }, now);
    return ownSubscription(tx, own);
  });
  return ok(showSubscription(resumed, now));
}

/**
 * Skips the periods that began during the pause, also the current one, even if its acquirer did not carry out its charge. Retries
 * whose time passed are lost, but end nothing.
 */
function afterPause(row: SubscriptionRow, now: Date): Changes {
  const { latestNumber, chargesFrom, isPastDue, attemptedAt, retriesEndAt, givesUpAt, triesAgain } = row;
  const number = currentNumber(row, now);
  const isLeftOut = number > latestNumber || (number === latestNumber && triesAgain && !isPastDue);
  const skipping = {
    pausedAt: null,
    chargesFrom: isLeftOut ? Math.max(chargesFrom, number + 1) : chargesFrom,
    triesAgain: false,
  };
  if (!isPastDue || attemptedAt === null || retriesEndAt === null) return skipping;
  return {
    ...skipping,
    attemptedAt: attemptedAt > now ? attemptedAt : now,
    givesUpAt: retriesEndAt <= now ? null : givesUpAt,
  };
}
