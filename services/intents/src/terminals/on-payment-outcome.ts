import type { DataOf, SentDataOf } from '@cobro/contracts/events.ts';
import type { ChoosyHandler } from '@cobro/events/event-handlers.ts';
import type { Tx } from '@cobro/postgres/database.ts';
import type { Deps } from '../deps.ts';
import { intentSuperseded } from '../intents/intent-events.ts';
import { endCharging, markRefunded } from '../intents/payment-intent.store.ts';
import { endAttempt } from './attempt.store.ts';
import { notify } from './notices.ts';

/** Most payments are made for no intent, and do not concern us. */
const concerns = ({ paymentIntentId }: SentDataOf<'PaymentConfirmed' | 'PaymentDeclined' | 'PaymentRefunded'>) =>
  typeof paymentIntentId === 'string';

type Paid = DataOf<'PaymentConfirmed'>;
type Declined = DataOf<'PaymentDeclined'>;

/** The intent is paid. */
export const onPaymentConfirmed = (deps: Deps): ChoosyHandler<'PaymentConfirmed'> => ({
  concerns,
  apply: async (tx, data) => {
    endAttempt(tx, { ...data, status: 'CONFIRMED', declineCode: null });
    await end(deps, tx, data, 'CONFIRMED');
  },
});

/** The intent is open again; one that was superseded while the card was being charged is cancelled now. */
export const onPaymentDeclined = (deps: Deps): ChoosyHandler<'PaymentDeclined'> => ({
  concerns,
  apply: async (tx, data) => {
    endAttempt(tx, { ...data, status: 'DECLINED' });
    const row = await end(deps, tx, data, 'CANCELLED');
    if (row.status === 'CANCELLED') deps.outbox.append(tx, intentSuperseded(row));
  },
});

/** The intent stays CONFIRMED; our copy of its payment says REFUNDED. */
export const onPaymentRefunded: ChoosyHandler<'PaymentRefunded'> = {
  concerns,
  apply: (tx, { paymentIntentId, paymentId }) => {
    if (paymentIntentId !== null) markRefunded(tx, paymentIntentId, paymentId);
  },
};

async function end(deps: Deps, tx: Tx, data: Paid | Declined, status: 'CONFIRMED' | 'CANCELLED') {
  const { paymentIntentId: intentId, paymentId, operationCode } = data;
  if (intentId === null) throw new Error('this payment was made for no intent');
  const row = await endCharging(tx, { intentId, paymentId, status, operationCode, now: deps.clock.now() });
  if (row === undefined) throw new Error('the outcome of a payment that is not being charged for this intent');
  notify(tx, { intent: intentId });
  // Whatever is open for the terminal could not be offered to it while the card was being charged.
  if (row.terminalId !== null) notify(tx, { terminal: row.terminalId });
  return row;
}
