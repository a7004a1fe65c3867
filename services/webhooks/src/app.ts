import type { EventType } from '@cobro/contracts/events.ts';
import * as contracts from '@cobro/contracts/routes/events.ts';
import type { DescribedHandler, Handler, HandlersFor } from '@cobro/events/event-handlers.ts';
import type { TimedWork } from '@cobro/frame/run-framed.ts';
import { route, type ServedRoute } from '@cobro/service-kit/serve-route.ts';
import type { Deps } from './deps.ts';
import { listEvents } from './list-events.ts';
import { listPartnerEvents } from './list-partner-events.ts';
import { onHoldCaptured, onHoldExpired, onHoldReleased } from './on-hold-ended.ts';
import { onHoldPlaced } from './on-hold-placed.ts';
import { onIntentCancelled, onIntentConfirmed, onIntentExpired, onIntentSuperseded } from './on-intent-ended.ts';
import { onOrganizationChanged } from './on-organization-changed.ts';
import { onPaymentConfirmed, onPaymentDeclined, onPaymentRefunded } from './on-payment-outcome.ts';
import { onPaymentMethodRevoked, onPaymentMethodSaved } from './on-payment-method-changed.ts';
import { pruneEvents } from './prune-events.job.ts';
import { readEvent } from './read-event.ts';
import type { webhooks } from './service.ts';
import { watchEvents } from './watch-events.job.ts';

/** An event that comes again writes the same row again, or no row. */
const known = <T extends EventType>(apply: Handler<T>): DescribedHandler<T> => ({ apply, hasOwnRecord: true });

export const handlers = (deps: Deps): HandlersFor<(typeof webhooks)['follows'][number]> => ({
  OrganizationRegistered: known(onOrganizationChanged),
  OrganizationChanged: known(onOrganizationChanged),
  PaymentMethodSaved: known(onPaymentMethodSaved(deps)),
  PaymentMethodRevoked: known(onPaymentMethodRevoked(deps)),
  PaymentConfirmed: known(onPaymentConfirmed(deps)),
  PaymentDeclined: known(onPaymentDeclined(deps)),
  PaymentRefunded: known(onPaymentRefunded(deps)),
  HoldPlaced: known(onHoldPlaced(deps)),
  HoldCaptured: known(onHoldCaptured(deps)),
  HoldReleased: known(onHoldReleased(deps)),
  HoldExpired: known(onHoldExpired(deps)),
  IntentConfirmed: known(onIntentConfirmed(deps)),
  IntentSuperseded: known(onIntentSuperseded(deps)),
  IntentCancelled: known(onIntentCancelled(deps)),
  IntentExpired: known(onIntentExpired(deps)),
});

export const routes: readonly ServedRoute<Deps>[] = [
  route(contracts.listEvents, listEvents),
  route(contracts.readEvent, readEvent),
  route(contracts.listPartnerEvents, listPartnerEvents),
];

export const jobs: readonly TimedWork<Deps>[] = [
  { name: 'watch-events', everyMs: 200, run: watchEvents },
  { name: 'prune-events', everyMs: 60_000, run: pruneEvents },
];
