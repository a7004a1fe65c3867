import { pesosOf } from '@cobro/contracts/amount.ts';
import type { DataOf } from '@cobro/contracts/events.ts';
import type { OneTimePayment } from '@cobro/contracts/one-time-payments.ts';
import type { Handler } from '@cobro/events/event-handlers.ts';
import type { Deps } from '../deps.ts';
import { keepEvent } from './keep-event.ts';

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

export const onLinkPaid =
  (deps: Deps): Handler<'OneTimePaymentPaid'> =>
  (tx, data, event) => {
    const { oneTimePaymentId: objectId } = data;
    keepEvent(deps, tx, event, { type: 'one_time_payment.paid', objectId, data: shown(data, 'CONFIRMED') });
  };

export const onLinkCancelled =
  (deps: Deps): Handler<'OneTimePaymentCancelled'> =>
  (tx, data, event) => {
    const { oneTimePaymentId: objectId } = data;
    keepEvent(deps, tx, event, { type: 'one_time_payment.cancelled', objectId, data: shown(data, 'CANCELLED') });
  };

export const onLinkExpired =
  (deps: Deps): Handler<'OneTimePaymentExpired'> =>
  (tx, data, event) => {
    const { oneTimePaymentId: objectId } = data;
    keepEvent(deps, tx, event, { type: 'one_time_payment.expired', objectId, data: shown(data, 'PENDING') });
  };
