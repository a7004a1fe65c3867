import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { chargeSubscriptionPeriod as contract } from '@cobro/contracts/routes/subscriptions.ts';
import { MOST_DECLINES } from '@cobro/contracts/subscriptions.ts';
import type { Deps } from '../deps.ts';
import { answerCharge } from '../payments/payment-answer.ts';
import { attemptWasSent } from '../payments/payment-attempt.ts';
import { lookAgain, readSettled } from '../payments/payment.store.ts';
import { boundedForPeople } from '../payments/people-limit.ts';
import { cardToCharge, chargePeriod } from './charge-period.ts';
import { ownSubscription } from './own-subscription.ts';
import { amountOf, currentNumber, factsOf, refuseEnded } from './subscription.rules.ts';
import { findTriedPeriods } from './subscription.store.ts';

/** POST /subscription/{id}/period/{number}/charge: collects a period by hand, and answers as a charge does. */
export async function chargeSubscriptionPeriod(
  deps: Deps,
  { caller, params: { id, number }, deadline, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { organizationId } = caller;
  readBody();
  for (;;) {
    const now = deps.clock.now();
    const row = await ownSubscription(deps.db, { organizationId, id, now });
    const [period] = await findTriedPeriods(deps.db, id, number, number);
    if (period && factsOf(period).isPaid) return answerCharge(await lookAgain(deps.db, period.paymentId), now, true);
    refuseEnded(row);
    if (number > currentNumber(row, now)) throw new Refusal('SUBSCRIPTION_PERIOD_NOT_DUE');
    if (row.isCharging) throw new Refusal('CHARGE_IN_PROGRESS', { fields: { subscriptionId: id } });
    if ((period?.declines ?? 0) >= MOST_DECLINES) throw new Refusal('TOO_MANY_ATTEMPTS');
    const method = await cardToCharge(deps, row);
    const { acquirer, id: cardId } = method;
    const request = { acquirer, organizationId, askedBy: caller.by, cardId, deadline };
    const charged = { what: 'charged', organizationId, amount: amountOf(row, period) } as const;
    const end = await deps.journal.withPermit(request, (permit) =>
      boundedForPeople(
        deps.peopleLimit,
        caller.by,
        charged,
        () => chargePeriod(deps, row, method, number, permit),
        attemptWasSent,
      ),
    );
    if (end !== undefined) {
      const { outcome, row: ended } = end.outcome;
      if (outcome === 'not_sent') throw new Refusal('BANK_UNAVAILABLE');
      if (outcome === 'unknown') return answerCharge(end.payment, now);
      return answerCharge(ended ?? (await readSettled(deps.db, end.payment)), deps.clock.now());
    }
    // The subscription has changed since it was read, so it is read again.
  }
}
