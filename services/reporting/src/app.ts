import { developerPaymentQuery } from '@cobro/contracts/developer-payments.ts';
import { partnerPaymentQuery } from '@cobro/contracts/partner-payments.ts';
import type { EventHandlers } from '@cobro/events/inbox.ts';
import { handle, ok } from '@cobro/service-kit/handle.ts';
import { createHttpApp, type HttpAppOptions, idParams } from '@cobro/service-kit/http-app.ts';
import type { Express } from 'express';
import type { Deps } from './deps.ts';
import { listDeveloperPayments } from './list-developer-payments.ts';
import { listPartnerPayments } from './list-partner-payments.ts';
import { onHoldCaptured } from './on-hold-captured.ts';
import { onHoldExpired } from './on-hold-expired.ts';
import { onHoldPlaced } from './on-hold-placed.ts';
import { onHoldReleased } from './on-hold-released.ts';
import { onOrganizationChanged } from './on-organization-changed.ts';
import { onPaymentConfirmed } from './on-payment-confirmed.ts';
import { onPaymentDeclined } from './on-payment-declined.ts';
import { onPaymentRefunded } from './on-payment-refunded.ts';
import { readDeveloperPayment } from './read-developer-payment.ts';

/** Every event that reporting projects; the others in its queue change nothing here. */
export const handlers: EventHandlers = {
  OrganizationRegistered: onOrganizationChanged('OrganizationRegistered'),
  OrganizationChanged: onOrganizationChanged('OrganizationChanged'),
  PaymentConfirmed: onPaymentConfirmed,
  PaymentDeclined: onPaymentDeclined,
  PaymentRefunded: onPaymentRefunded,
  HoldPlaced: onHoldPlaced,
  HoldCaptured: onHoldCaptured,
  HoldReleased: onHoldReleased,
  HoldExpired: onHoldExpired,
};

export function createApp(deps: Deps, http: Pick<HttpAppOptions, 'log' | 'verifyToken'>): Express {
  return createHttpApp({
    ...http,
    clock: deps.clock,
    // Reading needs no broker: what it has told so far can be shown without it.
    ready: () => deps.db.ping(),
    routes: (app) => {
      app.get(
        '/developer/v1/payment',
        handle({ caller: 'merchant', query: developerPaymentQuery }, async ({ caller, query }) =>
          ok(await listDeveloperPayments(deps, { organizationId: caller.organizationId, query })),
        ),
      );
      app.get(
        '/developer/v1/payment/:id',
        handle({ caller: 'merchant', params: idParams('id') }, async ({ caller, params }) =>
          ok(await readDeveloperPayment(deps, { organizationId: caller.organizationId, id: params.id })),
        ),
      );
      app.get(
        '/developer/payment',
        handle({ caller: 'partner', query: partnerPaymentQuery }, async ({ caller, query }) =>
          ok(await listPartnerPayments(deps, { partnerId: caller.partnerId, query })),
        ),
      );
    },
  });
}
