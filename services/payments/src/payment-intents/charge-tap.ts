import type { Place } from '@cobro/bank/bank-places.ts';
import type { Claimed } from '@cobro/bank/journal.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Deps } from '../deps.ts';
import type { PaymentRow } from '../payments/payment.row.ts';
import { lookAgain, movePayment } from '../payments/payment.store.ts';
import { cancelTapped } from './cancel-tapped.ts';
import { countTry, type DueTap, lockTap, type TapRow } from './tap.store.ts';
import { openTappedCard } from './tapped-card.ts';

/** A tap is nobody's request, so that only the bank's own time bounds the call. */
const WITHIN_MS = 20_000;

/**
 * Charges a tapped card if that is still to be done and in time: claims it, then asks the bank. What could not be sent is tried
 * again by the job, until `chargeBefore`.
 */
export async function chargeTap(deps: Deps, { paymentId, organizationId }: DueTap): Promise<void> {
  const deadline = performance.now() + WITHIN_MS;
  try {
    await deps.journal.withPlace({ organizationId, cardId: null, deadline }, (place) =>
      claimAndCall(deps, paymentId, place),
    );
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'BANK_UNAVAILABLE')) throw error;
    // No place at the bank, or no bank, now; the job comes back to it.
    await deps.db.inTransaction(async (tx) => countTry(tx, paymentId));
  }
}

interface ClaimedTap {
  tap: TapRow;
  payment: PaymentRow;
  claimed: Claimed;
}

async function claimAndCall(deps: Deps, paymentId: string, place: Place): Promise<void> {
  const claim = await claimTap(deps, paymentId, place);
  if (claim === undefined) return;
  const { tap, payment, claimed } = claim;
  const { token } = openTappedCard(deps.tapKeys, paymentId, tap.sealedCard);
  const { amount, terms } = payment;
  const sendBefore = performance.now() + msLeft(tap);
  await deps.journal.carryOut(claimed, { kind: 'sale', token, amount, terms }, sendBefore);
}

const msLeft = ({ chargeBefore }: TapRow) => chargeBefore.getTime() - Date.now();

/** Claims the charge, or ends it where its time has passed. Undefined where there is nothing to ask the bank. */
const claimTap = (deps: Deps, paymentId: string, place: Place): Promise<ClaimedTap | undefined> =>
  deps.db.inSharedTransaction(paymentId, async (tx) => {
    const tap = await lockTap(tx, paymentId);
    if (tap === undefined) return undefined;
    if (msLeft(tap) <= 0) {
      const { status } = await lookAgain(tx, paymentId);
      // A charge that is PENDING ends by the bank's answer.
      if (status !== 'NOT_INITIALIZED') return undefined;
      await cancelTapped(deps, tx, paymentId, tap.tries > 0 ? 'bank_unavailable' : 'not_processed');
      return undefined;
    }
    place.take();
    const payment = await movePayment(tx, paymentId, 'PENDING');
    if (payment === undefined) return undefined;
    countTry(tx, paymentId);
    const claimed = deps.journal.claim(tx, { purpose: 'charge', subjectId: paymentId, amount: payment.amount }, place);
    return { tap, payment, claimed };
  });
