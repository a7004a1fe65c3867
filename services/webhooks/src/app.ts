import * as contracts from '@cobro/contracts/routes/events.ts';
import * as operations from '@cobro/contracts/routes/platform-operations.ts';
import * as endpoints from '@cobro/contracts/routes/webhook-endpoints.ts';
import type { ReceiveEvents } from '@cobro/events/inbox.ts';
import { keepRows, type RowMakersFor } from '@cobro/events/kept-events.ts';
import type { TimedWork } from '@cobro/frame/run-framed.ts';
import type { Job } from '@cobro/service-kit/job.ts';
import { route, type ServedRoute } from '@cobro/service-kit/serve-route.ts';
import { deliverToEndpoints } from './deliveries/deliver-to-endpoints.job.ts';
import { listDeliveries } from './deliveries/list-deliveries.ts';
import { pruneDeliveries } from './deliveries/prune-deliveries.job.ts';
import { replayEvents } from './deliveries/replay-events.ts';
import { resendDelivery } from './deliveries/resend-delivery.ts';
import { testWebhookEndpoint } from './deliveries/test-webhook-endpoint.ts';
import type { Deps } from './deps.ts';
import { changeWebhookEndpoint } from './endpoints/change-webhook-endpoint.ts';
import { createWebhookEndpoint } from './endpoints/create-webhook-endpoint.ts';
import { deleteWebhookEndpoint } from './endpoints/delete-webhook-endpoint.ts';
import { getWebhookEndpoint } from './endpoints/get-webhook-endpoint.ts';
import { listWebhookEndpoints } from './endpoints/list-webhook-endpoints.ts';
import { resealSecrets } from './endpoints/reseal-secrets.job.ts';
import { turnWebhookSecret } from './endpoints/turn-webhook-secret.ts';
import type { NewEvent } from './events/event.store.ts';
import { keepEvents } from './events/keep-events.ts';
import { listEventReconciliations } from './events/list-event-reconciliations.ts';
import { listEvents } from './events/list-events.ts';
import { listPartnerEvents } from './events/list-partner-events.ts';
import { onHoldCaptured, onHoldEnding, onHoldExpired, onHoldReleased } from './events/on-hold-ended.ts';
import { onHoldPlaced } from './events/on-hold-placed.ts';
import { onIntentCancelled, onIntentConfirmed, onIntentExpired, onIntentSuperseded } from './events/on-intent-ended.ts';
import { onLinkCancelled, onLinkExpired, onLinkPaid } from './events/on-link-ended.ts';
import { onPaymentLinkSoldOut, onProductOutOfStock } from './events/on-sold-out.ts';
import { onPromotionAccepted, onPromotionEnded } from './events/on-promotion-changed.ts';
import { onOrganizationChanged } from './events/on-organization-changed.ts';
import { onPaymentConfirmed, onPaymentDeclined, onPaymentRefunded } from './events/on-payment-outcome.ts';
import {
  onPaymentMethodExpired,
  onPaymentMethodRevoked,
  onPaymentMethodSaved,
} from './events/on-payment-method-changed.ts';
import { onSubscriptionChanged } from './events/on-subscription-changed.ts';
import { pruneEvents } from './events/prune-events.job.ts';
import { readEvent } from './events/read-event.ts';
import type { webhooks } from './service.ts';
import { watchEvents } from './events/watch-events.job.ts';

/** An event that comes again makes rows with the same ids again, or none. */
const makers = (deps: Deps): RowMakersFor<(typeof webhooks)['follows'][number], NewEvent> => ({
  OrganizationRegistered: onOrganizationChanged(deps),
  OrganizationChanged: onOrganizationChanged(deps),
  PaymentMethodSaved: onPaymentMethodSaved,
  PaymentMethodRevoked: onPaymentMethodRevoked,
  PaymentMethodExpired: onPaymentMethodExpired,
  OneTimePaymentPaid: onLinkPaid,
  OneTimePaymentCancelled: onLinkCancelled,
  OneTimePaymentExpired: onLinkExpired,
  PaymentLinkSoldOut: onPaymentLinkSoldOut,
  ProductOutOfStock: onProductOutOfStock,
  PromotionAccepted: onPromotionAccepted,
  PromotionEnded: onPromotionEnded,
  SubscriptionChanged: onSubscriptionChanged,
  PaymentConfirmed: onPaymentConfirmed,
  PaymentDeclined: onPaymentDeclined,
  PaymentRefunded: onPaymentRefunded,
  HoldEnding: onHoldEnding(deps),
  HoldPlaced: onHoldPlaced(deps),
  HoldCaptured: onHoldCaptured(deps),
  HoldReleased: onHoldReleased(deps),
  HoldExpired: onHoldExpired(deps),
  IntentConfirmed: onIntentConfirmed,
  IntentSuperseded: onIntentSuperseded,
  IntentCancelled: onIntentCancelled,
  IntentExpired: onIntentExpired,
});

export const receive = (deps: Deps): ReceiveEvents => keepRows(makers(deps), (events) => keepEvents(deps, events));

export const routes: readonly ServedRoute<Deps>[] = [
  route(operations.listEventReconciliations, listEventReconciliations),
  route(contracts.listEvents, listEvents),
  route(contracts.readEvent, readEvent),
  route(contracts.listPartnerEvents, listPartnerEvents),
  route(endpoints.createWebhookEndpoint, createWebhookEndpoint),
  route(endpoints.listWebhookEndpoints, listWebhookEndpoints),
  route(endpoints.getWebhookEndpoint, getWebhookEndpoint),
  route(endpoints.changeWebhookEndpoint, changeWebhookEndpoint),
  route(endpoints.deleteWebhookEndpoint, deleteWebhookEndpoint),
  route(endpoints.turnWebhookSecret, turnWebhookSecret),
  route(endpoints.listDeliveries, listDeliveries),
  route(endpoints.resendDelivery, resendDelivery),
  route(endpoints.replayEvents, replayEvents),
  route(endpoints.testWebhookEndpoint, testWebhookEndpoint),
];

export const jobs: readonly TimedWork<Deps>[] = [
  { name: 'watch-events', everyMs: 200, run: watchEvents },
  { name: 'prune-events', everyMs: 60_000, run: pruneEvents },
  { name: 'prune-deliveries', everyMs: 60_000, run: pruneDeliveries },
  { name: 'reseal-secrets', everyMs: 3_600_000, run: resealSecrets },
];

export const flows: readonly ((deps: Deps) => Job)[] = [deliverToEndpoints];
