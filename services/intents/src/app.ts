import * as branches from '@cobro/contracts/routes/branches.ts';
import { askForIntent, askForSalesperson } from '@cobro/contracts/routes/internal.ts';
import * as contracts from '@cobro/contracts/routes/payment-intents.ts';
import * as salespeople from '@cobro/contracts/routes/salespeople.ts';
import type { HandlersFor } from '@cobro/events/event-handlers.ts';
import { route, type ServedRoute } from '@cobro/service-kit/serve-route.ts';
import type { Deps } from './deps.ts';
import { answerIntentQuestion } from './intents/answer-intent-question.ts';
import { cancelPaymentIntent } from './intents/cancel-payment-intent.ts';
import { createPaymentIntent } from './intents/create-payment-intent.ts';
import { getPaymentIntent } from './intents/get-payment-intent.ts';
import { listPaymentIntents } from './intents/list-payment-intents.ts';
import { onOrganization } from './organizations/on-organization.ts';
import { answerSalespersonQuestion } from './registry/answer-salesperson-question.ts';
import { changeBranch } from './registry/change-branch.ts';
import { changeSalesperson } from './registry/change-salesperson.ts';
import { createBranch } from './registry/create-branch.ts';
import { createSalesperson } from './registry/create-salesperson.ts';
import { getBranch } from './registry/get-branch.ts';
import { getSalesperson } from './registry/get-salesperson.ts';
import { listBranches } from './registry/list-branches.ts';
import { listDeveloperSalespeople } from './registry/list-developer-salespeople.ts';
import { listSalespeople } from './registry/list-salespeople.ts';
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
  route(branches.createBranch, createBranch),
  route(branches.listBranches, listBranches),
  route(branches.getBranch, getBranch),
  route(branches.changeBranch, changeBranch),
  route(salespeople.createSalesperson, createSalesperson),
  route(salespeople.listSalespeople, listSalespeople),
  route(salespeople.getSalesperson, getSalesperson),
  route(salespeople.changeSalesperson, changeSalesperson),
  route(salespeople.listDeveloperSalespeople, listDeveloperSalespeople),
  route(salespeople.readDeveloperSalesperson, getSalesperson),
  route(askForIntent, answerIntentQuestion),
  route(askForSalesperson, answerSalespersonQuestion),
];
