import type { PaymentRow } from '../payments/payment.row.ts';
import type { OnOutcome } from '../payments/settle-charge.ts';
import { isHardDecline } from './subscription.rules.ts';
import {
  lockingSubscription,
  notingDeclined,
  notingNotProcessed,
  notingNotSent,
  notingPaid,
} from './subscription.store.ts';

/** What a charge came to, in the row of its subscription, which the claim has locked before the payment too. */
export const onSubscriptionOutcome: OnOutcome = (payment, now) => {
  const { subscriptionId: id, periodNumber: number } = payment;
  if (id === null || number === null) return {};
  return { counting: [{ key: id, locking: lockingSubscription(id), writing: noting(id, number, payment, now) }] };
};

function noting(id: string, number: number, { status, declineCode }: PaymentRow, now: Date) {
  if (status === 'NOT_INITIALIZED') return notingNotSent(id, number, now);
  if (status !== 'CANCELLED') return notingPaid(id, number, now);
  if (declineCode === 'not_processed') return notingNotProcessed(id, number, now);
  return notingDeclined(id, { number, declineCode, isHard: isHardDecline(declineCode), now });
}
