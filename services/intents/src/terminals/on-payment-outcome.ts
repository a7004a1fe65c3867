import type { DataOf, SentDataOf } from '@cobro/contracts/events.ts';
import type { DescribedHandler } from '@cobro/events/event-handlers.ts';
import type { Tx } from '@cobro/postgres/database.ts';
import type { Deps } from '../deps.ts';
import { announceEnd } from '../intents/announce-end.ts';
import { endCharging, markRefunded } from '../intents/payment-intent.store.ts';
import { endAttempt, findAttemptOfPayment } from './attempt.store.ts';
import { notifyWaiting } from './notices.ts';

/** Most payments are made for no intent, and do not concern us. */
const concerns = ({ paymentIntentId }: SentDataOf<'PaymentConfirmed' | 'PaymentDeclined' | 'PaymentRefunded'>) =>
  typeof paymentIntentId === 'string';

type Paid = DataOf<'PaymentConfirmed'>;
type Declined = DataOf<'PaymentDeclined'>;

/** The intent is paid. */
export const onPaymentConfirmed = (deps: Deps): DescribedHandler<'PaymentConfirmed'> => ({
  concerns,
  apply: async (tx, data) => {
    await end(deps, tx, data, { payment: 'CONFIRMED', attempt: 'CONFIRMED', declineCode: null });
  },
});

/** The intent is open again; one that was superseded while the card was being charged is cancelled now. */
export const onPaymentDeclined = (deps: Deps): DescribedHandler<'PaymentDeclined'> => ({
  concerns,
  apply: async (tx, data) => {
    const { declineCode } = data;
    await end(deps, tx, data, { payment: 'CANCELLED', attempt: 'DECLINED', declineCode });
  },
});

/** The intent stays CONFIRMED; our copy of its payment says REFUNDED. A refund that overtook its payment's outcome is delivered again. */
export const onPaymentRefunded: DescribedHandler<'PaymentRefunded'> = {
  concerns,
  apply: async (tx, { paymentIntentId, paymentId }) => {
    if (paymentIntentId === null || (await markRefunded(tx, paymentIntentId, paymentId))) return;
    throw new Error('the refund of a payment whose outcome has not come yet');
  },
};

interface Ending {
  payment: 'CONFIRMED' | 'CANCELLED';
  attempt: 'CONFIRMED' | 'DECLINED';
  declineCode: string | null;
}

/** Does nothing if the attempt already ended this way: our question's answer, the hand-over and the broker all bring the outcome. */
async function end(deps: Deps, tx: Tx, data: Paid | Declined, ending: Ending): Promise<void> {
  const { paymentIntentId: intentId, paymentId } = data;
  const { operationCode } = data;
  if (intentId === null) throw new Error('this payment was made for no intent');
  const outcome = { intentId, paymentId, paymentStatus: ending.payment, operationCode, now: deps.clock.now() };
  const row = await endCharging(tx, outcome);
  if (row === undefined) {
    if ((await findAttemptOfPayment(tx, paymentId))?.status === ending.attempt) return;
    throw new Error('the outcome of a payment that is not being charged for this intent');
  }
  endAttempt(tx, { paymentId, operationCode, status: ending.attempt, declineCode: ending.declineCode });
  notifyWaiting(tx, row);
  announceEnd(deps, tx, row);
}
