import { givingBackUnit, lockingUnits } from '../products/product.store.ts';
import type { OnOutcome } from '../payments/settle-charge.ts';
import { givingBackPayment, lockingPaymentLink, productOfPaymentLink } from './payment-link.store.ts';

/** A payment that was declined or not sent gives back what its claim has taken. */
export const onPaymentLinkOutcome: OnOutcome = ({ status, paymentLinkId }, now) => {
  if (status === 'CONFIRMED' || paymentLinkId === null) return {};
  const product = productOfPaymentLink(paymentLinkId);
  return {
    counting: [
      { key: paymentLinkId, locking: lockingUnits(product), writing: givingBackUnit(product, now) },
      { key: paymentLinkId, locking: lockingPaymentLink(paymentLinkId), writing: givingBackPayment(paymentLinkId) },
    ],
  };
};
