import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { changeSubscription as contract } from '@cobro/contracts/routes/subscriptions.ts';
import type { Queries } from '@cobro/postgres/database.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import { changesOf } from '@cobro/service-kit/changes.ts';
import { refuseNotActive } from '../cards/payment-method.rules.ts';
import { findPaymentMethod } from '../cards/payment-method.store.ts';
import type { Deps } from '../deps.ts';
import { boundedForPeople } from '../payments/people-limit.ts';
import { lockOwnSubscription, ownSubscription } from './own-subscription.ts';
import type { SubscriptionRow } from './subscription.row.ts';
import { refuseEnded, showSubscription } from './subscription.rules.ts';
import { changeLocked } from './subscription.store.ts';

/** PATCH /subscription/{id}: fields that are not sent stay. A charge that has begun goes on as it began. */
export async function changeSubscription(
  { db, clock, peopleLimit }: Deps,
  { caller: { organizationId, by }, params: { id }, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const now = clock.now();
  const own = { organizationId, id, now };
  let isCounted = false;
  const changed = await db.inTransaction(async (tx) => {
    const row = await lockOwnSubscription(tx, own);
    const changes = changesOf(row, readBody());
    refuseEnded(row);
    if (Object.keys(changes).length === 0) return row;
    const { paymentMethodId, amount } = changes;
    if (paymentMethodId !== undefined) await refuseCard(tx, { organizationId, id: paymentMethodId, now });
    const ofCard = paymentMethodId === undefined ? {} : withNewCard(row);
    const change = () => {
      changeLocked(tx, id, { ...changes, ...ofCard }, now);
      return ownSubscription(tx, own);
    };
    const spent = amount !== undefined && amount > row.amount ? amount : isChargedAtOnce(ofCard) ? row.amount : 0n;
    // A transaction that runs again after a deadlock has counted its amount already.
    if (spent === 0n || isCounted) return change();
    isCounted = true;
    const charged = { what: 'charged', organizationId, amount: spent } as const;
    return boundedForPeople(peopleLimit, by, charged, change, () => true);
  });
  return ok(showSubscription(changed, now));
}

/** @throws Refusal 404, 409 */
async function refuseCard(queries: Queries, card: { organizationId: string; id: string; now: Date }): Promise<void> {
  const method = await findPaymentMethod(queries, card.organizationId, card.id);
  if (method === undefined) throw new Refusal('PAYMENT_METHOD_NOT_FOUND');
  refuseNotActive(method, card.now);
}

const isChargedAtOnce = (ofCard: { triesAgain?: boolean }) => ofCard.triesAgain === true;

/** A new card is charged at once for a period that is past due, and declines of the old card no longer count. */
function withNewCard({ isPastDue, pausedAt, givesUpAt, periodEndsAt, triesAgain }: SubscriptionRow) {
  // A hard decline of an older period, which was collected by hand, was the old card's too.
  if (!isPastDue) return { isHard: false };
  return {
    isHard: false,
    triesAgain: triesAgain || pausedAt === null,
    // Null while a charge is under way, whose outcome decides.
    givesUpAt: givesUpAt && periodEndsAt,
  };
}
