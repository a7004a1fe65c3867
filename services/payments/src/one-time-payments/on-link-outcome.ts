import type { OnOutcome } from '../payments/settle-charge.ts';
import { confirmingLink, lockingPendingLink } from './one-time-payment.store.ts';

/** A payment that is confirmed has paid its link. A link that is not PENDING any more keeps the payment from being settled. */
export const onLinkOutcome: OnOutcome = ({ status, oneTimePaymentId }, now) =>
  status === 'CONFIRMED' && oneTimePaymentId !== null
    ? { also: { locking: lockingPendingLink(oneTimePaymentId), writing: confirmingLink(oneTimePaymentId, now) } }
    : {};
