import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { resumeSubscription as contract } from '@cobro/contracts/routes/subscriptions.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { lockOwnSubscription, ownSubscription } from './own-subscription.ts';
import type { SubscriptionRow } from './subscription.row.ts';
import { currentNumber, refuseEnded, showSubscription } from './subscription.rules.ts';
import { type Changes, changeLocked } from './subscription.store.ts';

/** POST /subscription/{id}/resume: takes a pause back, and that it ends with its period. Charges nothing new. */
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
 * Periods that began meanwhile are skipped, the current one too, also where its acquirer has carried out no charge of it. Retries that
 * passed are gone, and have ended nothing.
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
