import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Deps } from '../deps.ts';
import { type Attempt, makeAttempt } from '../payments/payment-attempt.ts';
import { lockPayment, writingPaymentOfTap } from '../payments/payment.store.ts';
import { cancelTapped } from './cancel-tapped.ts';
import { promotionsFor } from '../promotions/promote.ts';
import { countingTry, countingVainTry, type DueTap, findTap, type TapRow, type TapToCharge } from './tap.store.ts';
import { openTappedCard } from './tapped-card.ts';

/** The terminal waits at intents, not here, so this only has to be long enough that no permit is refused for lack of time. */
const WITHIN_MS = 20_000;

/** Charges a tapped card if it is not charged yet and in time. The job retries what could not be sent, until `chargeBefore`. */
export async function chargeTap(deps: Deps, { paymentId, acquirer, organizationId }: DueTap): Promise<void> {
  const tap = await findTap(deps.db, paymentId);
  if (tap === undefined) return;
  if (msLeft(tap) <= 0) return endLate(deps, tap);
  const deadline = performance.now() + WITHIN_MS;
  try {
    await deps.journal.withPermit({ acquirer, organizationId, cardId: null, deadline }, (permit) =>
      makeAttempt(deps, attemptOf(deps, tap), permit),
    );
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'BANK_UNAVAILABLE')) throw error;
    // This process got no permit or could not reach the bank; the job of any process retries it.
    await deps.db.run(countingVainTry(paymentId));
  }
}

const msLeft = ({ chargeBefore }: TapRow) => chargeBefore.getTime() - Date.now();

const attemptOf = (deps: Deps, tap: TapToCharge): Attempt => ({
  purpose: 'charge',
  rates: tap.rates,
  promotions: promotionsFor(tap, tap.promotions),
  writing: (rates, room) => writingPaymentOfTap(tap.paymentId, rates, room),
  also: countingTry(tap.paymentId),
  key: tap.paymentId,
  amount: tap.amount,
  token: openTappedCard(deps.tapKeys, tap.paymentId, tap.sealedCard).token,
  sendBefore: performance.now() + msLeft(tap),
});

/** Ends a charge whose time has passed. One that is PENDING ends by the bank's answer. */
const endLate = (deps: Deps, { paymentId, tries }: TapRow): Promise<void> =>
  deps.db.inTransaction(async (tx) => {
    const { status } = await lockPayment(tx, paymentId);
    if (status === 'NOT_INITIALIZED')
      await cancelTapped(deps, tx, paymentId, tries > 0 ? 'bank_unavailable' : 'not_processed');
  });
