import type { DataOf } from '@cobro/contracts/events.ts';
import type { PaymentMethod } from '@cobro/contracts/payment-methods.ts';
import type { Handler } from '@cobro/events/event-handlers.ts';
import type { Deps } from '../deps.ts';
import { keepEvent } from './keep-event.ts';

type Facts = Omit<DataOf<'PaymentMethodSaved'>, 'savedAt'>;

const shown = (facts: Facts, status: PaymentMethod['status'], at: Date): PaymentMethod => ({
  id: facts.paymentMethodId,
  status,
  externalId: facts.externalId,
  card: { lastFourDigits: facts.lastFourDigits, networkType: facts.network },
  createdAt: (facts.createdAt ?? at).toISOString(),
});

export const onPaymentMethodSaved =
  (deps: Deps): Handler<'PaymentMethodSaved'> =>
  (tx, data, event) => {
    const { paymentMethodId: objectId, savedAt } = data;
    keepEvent(deps, tx, event, { type: 'payment_method.saved', objectId, data: shown(data, 'ACTIVE', savedAt) });
  };

export const onPaymentMethodRevoked =
  (deps: Deps): Handler<'PaymentMethodRevoked'> =>
  (tx, data, event) => {
    const { paymentMethodId: objectId, revokedAt } = data;
    keepEvent(deps, tx, event, { type: 'payment_method.revoked', objectId, data: shown(data, 'REVOKED', revokedAt) });
  };

export const onPaymentMethodExpired =
  (deps: Deps): Handler<'PaymentMethodExpired'> =>
  (tx, data, event) => {
    const { paymentMethodId: objectId, expiredAt } = data;
    keepEvent(deps, tx, event, { type: 'payment_method.expired', objectId, data: shown(data, 'EXPIRED', expiredAt) });
  };
