import type { PaymentRow } from '../payments/payment.row.ts';
import type { OnOutcome } from '../payments/settle-charge.ts';
import { isHardDecline, NOT_COUNTED } from './subscription.rules.ts';
import { lockingSubscription } from './subscription.store.ts';
import {
  type EndedCharge,
  notingDeclined,
  notingNotProcessed,
  notingNotSent,
  notingPaid,
} from './subscription-outcome.store.ts';

/** Notes a charge's outcome in its subscription, which is locked before the payment, as in the claim. */
export const onSubscriptionOutcome: OnOutcome = (payment, now, { note, isKeyClosed }) => {
  const { subscriptionId: id, periodNumber: number, paymentMethodId, acquirer } = payment;
  if (id === null || number === null) return {};
  const charge = { id, number, paymentMethodId, acquirer, counts: note !== NOT_COUNTED, now };
  return { counting: [{ key: id, locking: lockingSubscription(id), writing: noting(charge, payment, isKeyClosed) }] };
};

function noting(charge: EndedCharge, { status, declineCode }: PaymentRow, isKeyClosed: boolean) {
  if (status === 'NOT_INITIALIZED') return notingNotSent(charge, isKeyClosed);
  if (status !== 'CANCELLED') return notingPaid(charge);
  if (declineCode === 'not_processed') return notingNotProcessed(charge);
  return notingDeclined(charge, { declineCode, isHard: isHardDecline(declineCode) });
}
