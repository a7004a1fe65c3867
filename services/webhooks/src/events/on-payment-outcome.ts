import { type Maker, outwardOf } from './outward-event.ts';
import { confirmedPayment, declinedPayment, refundedPayment } from './payment.rules.ts';

export const onPaymentConfirmed: Maker<'PaymentConfirmed'> = (data, event) => {
  const { paymentId: objectId, confirmedAt } = data;
  return [outwardOf(event, { type: 'payment.confirmed', objectId, data: confirmedPayment(data, confirmedAt) })];
};

export const onPaymentDeclined: Maker<'PaymentDeclined'> = (data, event) => {
  const { paymentId: objectId, declinedAt, declineCode } = data;
  const shown = { ...declinedPayment(data, declinedAt), declineCode };
  return [outwardOf(event, { type: 'payment.declined', objectId, data: shown })];
};

/** An event of release 0.1 has no payment; that release showed merchants no events. */
export const onPaymentRefunded: Maker<'PaymentRefunded'> = ({ paymentId: objectId, payment, refundedAt }, event) => {
  if (payment === null) return [];
  const data = refundedPayment(objectId, payment, refundedAt);
  return [outwardOf(event, { type: 'payment.refunded', objectId, data })];
};
