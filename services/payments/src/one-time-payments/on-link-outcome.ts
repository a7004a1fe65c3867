import type { OnOutcome } from '../payments/settle-charge.ts';
import { confirmingLink, lockingPendingLink } from './one-time-payment.store.ts';

/** A confirmed payment also confirms its link. If the link is no longer PENDING, nothing is settled. */
export const onLinkOutcome: OnOutcome = ({ status, oneTimePaymentId }, now) =>
  status === 'CONFIRMED' && oneTimePaymentId !== null
    ? { also: { locking: lockingPendingLink(oneTimePaymentId), writing: confirmingLink(oneTimePaymentId, now) } }
    : {};
