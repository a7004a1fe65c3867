import type { Handler } from '@cobro/events/event-handlers.ts';
import type { Deps } from '../deps.ts';
import { keepEvent } from './keep-event.ts';
import { confirmedPayment, declinedPayment, refundedPayment } from './payment.rules.ts';

export const onPaymentConfirmed =
  (deps: Deps): Handler<'PaymentConfirmed'> =>
  (tx, data, event) => {
    const { paymentId: objectId, confirmedAt } = data;
    keepEvent(deps, tx, event, { type: 'payment.confirmed', objectId, data: confirmedPayment(data, confirmedAt) });
  };

export const onPaymentDeclined =
  (deps: Deps): Handler<'PaymentDeclined'> =>
  (tx, data, event) => {
    const { paymentId: objectId, declinedAt, declineCode } = data;
    const shown = { ...declinedPayment(data, declinedAt), declineCode };
    keepEvent(deps, tx, event, { type: 'payment.declined', objectId, data: shown });
  };

/** Release 0.1 did not say what was refunded, and showed merchants no events. */
export const onPaymentRefunded =
  (deps: Deps): Handler<'PaymentRefunded'> =>
  (tx, { paymentId: objectId, payment, refundedAt }, event) => {
    if (payment === null) return;
    const data = refundedPayment(objectId, payment, refundedAt);
    keepEvent(deps, tx, event, { type: 'payment.refunded', objectId, data });
  };
