import { askForIntent } from '@cobro/contracts/routes/internal.ts';
import * as contracts from '@cobro/contracts/routes/payment-intents.ts';
import type { HandlersFor } from '@cobro/events/event-handlers.ts';
import { route, type ServedRoute } from '@cobro/service-kit/serve-route.ts';
import type { Deps } from './deps.ts';
import { answerIntentQuestion } from './intents/answer-intent-question.ts';
import { cancelPaymentIntent } from './intents/cancel-payment-intent.ts';
import { createPaymentIntent } from './intents/create-payment-intent.ts';
import { getPaymentIntent } from './intents/get-payment-intent.ts';
import { listPaymentIntents } from './intents/list-payment-intents.ts';
import { onOrganization } from './organizations/on-organization.ts';
import { listTerminals } from './registry/list-terminals.ts';
import type { intents } from './service.ts';
import { askPaymentIntent } from './terminals/ask-payment-intent.ts';
import { declinePaymentIntent } from './terminals/decline-payment-intent.ts';
import { nextPaymentIntent } from './terminals/next-payment-intent.ts';
import { onPaymentConfirmed, onPaymentDeclined, onPaymentRefunded } from './terminals/on-payment-outcome.ts';
import { payPaymentIntent } from './terminals/pay-payment-intent.ts';

/** Handlers of the events that intents follows, whether the broker brings them or payments hands them over. */
export const handlers = (deps: Deps): HandlersFor<(typeof intents)['follows'][number]> => ({
  PaymentConfirmed: onPaymentConfirmed(deps),
  PaymentDeclined: onPaymentDeclined(deps),
  PaymentRefunded: onPaymentRefunded,
  OrganizationRegistered: onOrganization,
  OrganizationChanged: onOrganization,
});

export const routes: readonly ServedRoute<Deps>[] = [
  route(contracts.createPaymentIntent, createPaymentIntent),
  route(contracts.listPaymentIntents, listPaymentIntents),
  route(contracts.listTerminals, listTerminals),
  route(contracts.getPaymentIntent, getPaymentIntent),
  route(contracts.cancelPaymentIntent, cancelPaymentIntent),
  route(contracts.nextPaymentIntent, nextPaymentIntent),
  route(contracts.askPaymentIntent, askPaymentIntent),
  route(contracts.payPaymentIntent, payPaymentIntent),
  route(contracts.declinePaymentIntent, declinePaymentIntent),
  route(askForIntent, answerIntentQuestion),
];
