import { pesosOf } from '@cobro/contracts/amount.ts';
import type { DataOf } from '@cobro/contracts/events.ts';
import type { OneTimePayment } from '@cobro/contracts/one-time-payments.ts';
import { type Maker, outwardOf } from './outward-event.ts';

type Ended = DataOf<'OneTimePaymentPaid'>;

const shown = (facts: Ended, status: OneTimePayment['status']): OneTimePayment => ({
  id: facts.oneTimePaymentId,
  status,
  description: facts.description,
  amount: pesosOf(facts.amount),
  currency: facts.currency,
  externalId: facts.externalId,
  expiresAt: facts.expiresAt.toISOString(),
  redirectUrl: facts.redirectUrl,
  homepageUrl: facts.homepageUrl,
  allowedTerms: facts.allowedTerms,
  createdAt: facts.createdAt.toISOString(),
  updatedAt: facts.endedAt.toISOString(),
  billingInformation: facts.billing && {
    ...facts.billing,
    address: facts.billing.address ?? { addressLine: null, city: null, state: null, zip: null },
  },
});

export const onLinkPaid: Maker<'OneTimePaymentPaid'> = (data, event) => {
  const { oneTimePaymentId: objectId } = data;
  return [outwardOf(event, { type: 'one_time_payment.paid', objectId, data: shown(data, 'CONFIRMED') })];
};

export const onLinkCancelled: Maker<'OneTimePaymentCancelled'> = (data, event) => {
  const { oneTimePaymentId: objectId } = data;
  return [outwardOf(event, { type: 'one_time_payment.cancelled', objectId, data: shown(data, 'CANCELLED') })];
};

export const onLinkExpired: Maker<'OneTimePaymentExpired'> = (data, event) => {
  const { oneTimePaymentId: objectId } = data;
  return [outwardOf(event, { type: 'one_time_payment.expired', objectId, data: shown(data, 'PENDING') })];
};
