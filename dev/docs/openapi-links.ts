import type { RouteContract } from '@cobro/contracts/route.ts';
import { nameOf } from '@cobro/contracts/routes.ts';
import * as branches from '@cobro/contracts/routes/branches.ts';
import * as checkout from '@cobro/contracts/routes/checkout.ts';
import * as events from '@cobro/contracts/routes/events.ts';
import * as links from '@cobro/contracts/routes/one-time-payments.ts';
import * as intents from '@cobro/contracts/routes/payment-intents.ts';
import * as paymentLinks from '@cobro/contracts/routes/payment-links.ts';
import * as reads from '@cobro/contracts/routes/payment-reads.ts';
import * as promotions from '@cobro/contracts/routes/promotions.ts';
import * as products from '@cobro/contracts/routes/products.ts';
import * as salespeople from '@cobro/contracts/routes/salespeople.ts';
import * as cardPayments from '@cobro/contracts/routes/saved-card-payments.ts';
import * as cards from '@cobro/contracts/routes/saved-cards.ts';
import * as subscriptions from '@cobro/contracts/routes/subscriptions.ts';
import * as endpoints from '@cobro/contracts/routes/webhook-endpoints.ts';

/** OpenAPI's links, by name. */
export type Links = Record<string, { operationId: string; parameters: Record<string, string> }>;

const CREATED = '$response.body#/id';
const ITEM = '$response.body#/items/0/id';
const DATA = '$response.body#/data/0/id';

/** Where the id in an answer leads: to each of these routes, as its last parameter. The other parameters are those of the request. */
const leads: readonly (readonly [from: RouteContract, id: string, to: readonly RouteContract[]])[] = [
  [
    cards.savePaymentMethod,
    CREATED,
    [cards.getPaymentMethod, cards.revokePaymentMethod, cardPayments.chargePaymentMethod, cardPayments.listPayments],
  ],
  [cards.listPaymentMethods, ITEM, [cards.getPaymentMethod]],
  [cards.listDeveloperPaymentMethods, DATA, [cards.readDeveloperPaymentMethod]],
  [products.createProduct, CREATED, [products.getProduct, products.changeProduct, products.changeStock]],
  [products.listProducts, ITEM, [products.getProduct]],
  [paymentLinks.listDeveloperPaymentLinks, DATA, [paymentLinks.readDeveloperPaymentLink]],
  [products.listDeveloperProducts, DATA, [products.readDeveloperProduct]],
  [
    cardPayments.chargePaymentMethod,
    CREATED,
    [
      cardPayments.getPayment,
      cardPayments.captureHold,
      cardPayments.releaseHold,
      cardPayments.refundPayment,
      reads.readDeveloperPayment,
    ],
  ],
  [cardPayments.listPayments, ITEM, [cardPayments.getPayment]],
  [
    links.createOneTimePayment,
    CREATED,
    [
      links.viewOneTimePayment,
      links.readOneTimePayment,
      links.payOneTimePayment,
      links.cancelOneTimePayment,
      links.refundOneTimePayment,
      checkout.showCheckout,
    ],
  ],
  [
    paymentLinks.createPaymentLink,
    CREATED,
    [
      paymentLinks.getPaymentLink,
      paymentLinks.changePaymentLink,
      paymentLinks.viewPaymentLink,
      paymentLinks.payPaymentLink,
      paymentLinks.listLinkPayments,
      checkout.showCheckout,
    ],
  ],
  [paymentLinks.listPaymentLinks, ITEM, [paymentLinks.getPaymentLink]],
  [paymentLinks.payPaymentLink, CREATED, [paymentLinks.refundLinkPayment]],
  [links.listOneTimePayments, ITEM, [links.viewOneTimePayment]],
  [
    subscriptions.createSubscription,
    CREATED,
    [
      subscriptions.getSubscription,
      subscriptions.changeSubscription,
      subscriptions.pauseSubscription,
      subscriptions.resumeSubscription,
      subscriptions.cancelSubscription,
      subscriptions.listSubscriptionPeriods,
    ],
  ],
  [subscriptions.listSubscriptions, ITEM, [subscriptions.getSubscription]],
  [subscriptions.listDeveloperSubscriptions, DATA, [subscriptions.readDeveloperSubscription]],
  [
    promotions.createPromotion,
    CREATED,
    [promotions.getPromotion, promotions.readDeveloperPromotion, promotions.endPromotion],
  ],
  [promotions.listPromotions, ITEM, [promotions.getPromotion]],
  [promotions.listDeveloperPromotions, DATA, [promotions.readDeveloperPromotion]],
  [
    promotions.listPartnerPromotions,
    DATA,
    [promotions.readPartnerPromotion, promotions.acceptPromotion, promotions.endPartnerPromotion],
  ],
  [
    intents.createPaymentIntent,
    CREATED,
    [
      intents.getPaymentIntent,
      intents.cancelPaymentIntent,
      intents.refundPaymentIntent,
      intents.askPaymentIntent,
      intents.payPaymentIntent,
      intents.declinePaymentIntent,
    ],
  ],
  [
    intents.nextPaymentIntent,
    CREATED,
    [intents.askPaymentIntent, intents.payPaymentIntent, intents.declinePaymentIntent],
  ],
  [branches.createBranch, CREATED, [branches.getBranch, branches.changeBranch]],
  [branches.listBranches, ITEM, [branches.getBranch]],
  [salespeople.createSalesperson, CREATED, [salespeople.getSalesperson, salespeople.changeSalesperson]],
  [salespeople.listDeveloperSalespeople, DATA, [salespeople.readDeveloperSalesperson]],
  [salespeople.listSalespeople, ITEM, [salespeople.getSalesperson]],
  [reads.listDeveloperPayments, DATA, [reads.readDeveloperPayment]],
  [events.listEvents, DATA, [events.readEvent]],
  [
    endpoints.createWebhookEndpoint,
    CREATED,
    [
      endpoints.getWebhookEndpoint,
      endpoints.changeWebhookEndpoint,
      endpoints.turnWebhookSecret,
      endpoints.testWebhookEndpoint,
      endpoints.replayEvents,
      endpoints.listDeliveries,
      endpoints.deleteWebhookEndpoint,
    ],
  ],
  [endpoints.listWebhookEndpoints, ITEM, [endpoints.getWebhookEndpoint]],
  [endpoints.testWebhookEndpoint, CREATED, [endpoints.resendDelivery]],
  [endpoints.listDeliveries, DATA, [endpoints.resendDelivery]],
];

const paramsOf = ({ path }: RouteContract) => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);

/** The links of a route's answers to other routes of the same document. */
export function linksOf(contract: RouteContract, inDocument: readonly RouteContract[]): Links {
  const given = paramsOf(contract);
  return Object.fromEntries(
    leads
      .filter(([from]) => from === contract)
      .flatMap(([, id, to]) => to.filter((one) => inDocument.includes(one)).map((one) => [id, one] as const))
      .map(([id, to]) => {
        const asked = paramsOf(to);
        const parameters = asked.map((name, at) => [
          name,
          at === asked.length - 1 ? id : `$request.path.${given[at] ?? ''}`,
        ]);
        return [nameOf(to), { operationId: nameOf(to), parameters: Object.fromEntries(parameters) }];
      }),
  );
}
