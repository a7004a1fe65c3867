import type { DataOf } from '@cobro/contracts/events.ts';
import type { PaymentMethod } from '@cobro/contracts/payment-methods.ts';
import { type Maker, outwardOf } from './outward-event.ts';

type Facts = Omit<DataOf<'PaymentMethodSaved'>, 'savedAt'>;

const shown = (facts: Facts, status: PaymentMethod['status'], at: Date): PaymentMethod => ({
  id: facts.paymentMethodId,
  status,
  externalId: facts.externalId,
  card: { lastFourDigits: facts.lastFourDigits, networkType: facts.network },
  createdAt: (facts.createdAt ?? at).toISOString(),
});

export const onPaymentMethodSaved: Maker<'PaymentMethodSaved'> = (data, event) => {
  const { paymentMethodId: objectId, savedAt } = data;
  return [outwardOf(event, { type: 'payment_method.saved', objectId, data: shown(data, 'ACTIVE', savedAt) })];
};

export const onPaymentMethodRevoked: Maker<'PaymentMethodRevoked'> = (data, event) => {
  const { paymentMethodId: objectId, revokedAt } = data;
  return [outwardOf(event, { type: 'payment_method.revoked', objectId, data: shown(data, 'REVOKED', revokedAt) })];
};

export const onPaymentMethodExpired: Maker<'PaymentMethodExpired'> = (data, event) => {
  const { paymentMethodId: objectId, expiredAt } = data;
  return [outwardOf(event, { type: 'payment_method.expired', objectId, data: shown(data, 'EXPIRED', expiredAt) })];
};
