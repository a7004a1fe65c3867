import { newEvent } from '@cobro/contracts/events.ts';
import type { RouteContract } from '@cobro/contracts/route.ts';
import type { RouteName } from '@cobro/contracts/routes.ts';
import type * as apiKeys from '@cobro/contracts/routes/api-keys.ts';
import type * as platform from '@cobro/contracts/routes/platform.ts';
import { formFields, tokenIn } from '@cobro/testing/test-links.ts';
import { cardBody } from '@cobro/testing/test-merchant.ts';
import { type Answer, sendTo } from './client.ts';
import {
  type Shop,
  aBranch,
  aCard,
  aDelivery,
  aLink,
  aNewcomer,
  aPage,
  aPaidIntent,
  aPaidLink,
  aPayment,
  aPaymentLink,
  aPaymentOfALink,
  aProduct,
  aProductBody,
  aPromotion,
  aReportedPayment,
  aSalesperson,
  aSubscription,
  aSubscriptionBody,
  aTerminal,
  anEndpoint,
  anEvent,
  anIntent,
  anIntentFor,
  attempt,
  linkAttempt,
  promotion,
  tap,
} from './shop-records.ts';

/** A request that a route serves: by a merchant, about its own records. */
export interface RouteExample {
  /** The value of each parameter in the path. */
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  /** Sent as JSON; text is the form of a page. */
  body?: unknown;
  /** The terminal's key, on the routes of terminals. */
  terminalKey?: string;
  /** Records that the answer shows although the request does not name them. */
  shows?: readonly string[];
  /** The answer names no record: it has only sums, or there are no records of that kind yet. */
  showsNone?: true;
}

/** The records that the example names: ids and serial numbers. */
export function recordsIn({ params = {}, query = {}, body }: RouteExample): string[] {
  const { terminalCode = '' } = (typeof body === 'object' ? body : {}) as { terminalCode?: string };
  return [...Object.values(params), ...Object.values(query), terminalCode].filter((text) => /[\da-f-]{36}$/.test(text));
}

/** Sends the example. `address` is the contract's path, with its parameters, behind an origin. */
export function sendExample(
  address: string,
  contract: RouteContract,
  { params = {}, query = {}, body }: RouteExample,
  headers: Record<string, string>,
): Promise<Answer<unknown>> {
  const path = address.replaceAll(/\/:(\w+)/g, (_, name: string) => `/${params[name]}`);
  const search = new URLSearchParams(query).toString();
  const isForm = contract.body !== undefined && 'form' in contract.body;
  return sendTo(path, undefined)(contract.method, search === '' ? '' : `?${search}`, {
    headers: { ...(isForm && { 'content-type': 'application/x-www-form-urlencoded' }), ...headers },
    ...(body !== undefined && { body }),
  });
}

/** An example for each route except those for people only. A contract without one does not compile. */
export const routeExamples: Record<
  Exclude<RouteName, keyof typeof apiKeys | keyof typeof platform>,
  (shop: Shop) => RouteExample | Promise<RouteExample>
> = {
  savePaymentMethod: () => ({ body: { card: cardBody() } }),
  listPaymentMethods: () => ({}),
  getPaymentMethod: async (shop) => ({ params: { id: await aCard(shop) } }),
  revokePaymentMethod: async (shop) => ({ params: { id: await aCard(shop) } }),
  listDeveloperPaymentMethods: () => ({}),
  readDeveloperPaymentMethod: async (shop) => ({ params: { id: await aCard(shop) } }),

  createProduct: () => ({ body: aProductBody }),
  listProducts: () => ({}),
  getProduct: async (shop) => ({ params: { id: await aProduct(shop) } }),
  changeProduct: async (shop) => ({ params: { id: await aProduct(shop) }, body: { price: 449 } }),
  changeStock: async (shop) => ({ params: { id: await aProduct(shop) }, body: { change: -2 } }),
  listDeveloperPaymentLinks: () => ({}),
  readDeveloperPaymentLink: async (shop) => ({ params: { id: await aPaymentLink(shop) } }),
  listDeveloperProducts: () => ({}),
  readDeveloperProduct: async (shop) => ({ params: { id: await aProduct(shop) } }),

  createSubscription: async (shop) => ({ body: await aSubscriptionBody(shop) }),
  listSubscriptions: () => ({}),
  getSubscription: async (shop) => ({ params: { id: await aSubscription(shop) } }),
  listDeveloperSubscriptions: () => ({}),
  readDeveloperSubscription: async (shop) => ({ params: { id: await aSubscription(shop) } }),
  changeSubscription: async (shop) => ({ params: { id: await aSubscription(shop) }, body: { amount: 379 } }),
  cancelSubscription: async (shop) => ({ params: { id: await aSubscription(shop) }, body: {} }),
  pauseSubscription: async (shop) => ({ params: { id: await aSubscription(shop) } }),
  resumeSubscription: async (shop) => ({ params: { id: await aSubscription(shop) } }),
  listSubscriptionPeriods: async (shop) => ({ params: { id: await aSubscription(shop) } }),
  chargeSubscriptionPeriod: async (shop) => ({ params: { id: await aSubscription(shop), number: '1' } }),

  chargePaymentMethod: async (shop) => ({ params: { id: await aCard(shop) }, body: { amount: 10 } }),
  listPayments: async (shop) => ({ params: { id: (await aPayment(shop)).id } }),
  getPayment: async (shop) => ({ params: await aPayment(shop) }),
  refundPayment: async (shop) => ({ params: await aPayment(shop), body: { reason: 'returned' } }),
  captureHold: async (shop) => ({ params: await aPayment(shop, { holdFunds: true }), body: { amount: 60 } }),
  releaseHold: async (shop) => ({ params: await aPayment(shop, { holdFunds: true }) }),

  reportDays: () => ({ showsNone: true }),
  reportTakings: () => ({ showsNone: true }),
  reportHolds: () => ({}),
  reportPayments: () => ({}),
  exportPayments: () => ({}),
  reportSettlement: () => ({ query: { from: '2026-11-01', to: '2026-11-30' }, showsNone: true }),
  reportBankSettlement: () => ({ query: { from: '2026-11-01', to: '2026-11-30' }, showsNone: true }),
  listOpenOperations: () => ({ showsNone: true }),
  listOpenHoldOperations: () => ({ showsNone: true }),
  listReconciliations: () => ({ showsNone: true }),
  listEventReconciliations: () => ({ showsNone: true }),
  listFeesOf: ({ organizationId }) => ({ params: { organizationId } }),
  setFeesOf: ({ organizationId }) => ({ params: { organizationId }, body: { items: [] }, showsNone: true }),
  removeFeeOf: ({ organizationId }) => ({ params: { organizationId }, body: { type: 'CARD_PRESENT', terms: 99 } }),
  explainDisbursement: async (shop) => ({ params: { id: await aReportedPayment(shop) } }),
  listPendingPayments: () => ({ showsNone: true }),
  readPaymentTimeline: async (shop) => ({ params: { id: (await aPayment(shop)).paymentId } }),

  createOneTimePayment: () => ({ body: { amount: 900, description: 'Dos boletos' } }),
  listOneTimePayments: () => ({}),
  viewOneTimePayment: async (shop) => ({ params: { id: await aLink(shop) } }),
  readOneTimePayment: async (shop) => ({ params: { id: await aLink(shop) } }),
  listFeeChannels: () => ({ showsNone: true }),
  cancelOneTimePayment: async (shop) => ({ params: { id: await aLink(shop) } }),
  payOneTimePayment: async (shop) => ({ params: { id: await aLink(shop) }, body: attempt }),
  refundOneTimePayment: async (shop) => ({ params: { id: await aPaidLink(shop) }, body: {} }),
  createPaymentLink: () => ({ body: { amount: 350, description: 'Clase de yoga' } }),
  listPaymentLinks: () => ({}),
  getPaymentLink: async (shop) => ({ params: { id: await aPaymentLink(shop) } }),
  changePaymentLink: async (shop) => ({ params: { id: await aPaymentLink(shop) }, body: { active: false } }),
  viewPaymentLink: async (shop) => ({ params: { id: await aPaymentLink(shop) } }),
  payPaymentLink: async (shop) => ({ params: { id: await aPaymentLink(shop) }, body: linkAttempt() }),
  readLinkAttempt: async (shop) => {
    const { id, attemptId } = await aPaymentOfALink(shop);
    return { params: { id, attemptId } };
  },
  listLinkPayments: async (shop) => ({ params: { id: (await aPaymentOfALink(shop)).id } }),
  refundLinkPayment: async (shop) => {
    const { id, paymentId } = await aPaymentOfALink(shop);
    return { params: { id, paymentId }, body: {} };
  },
  showCheckout: async (shop) => ({ params: { id: await aLink(shop) } }),
  submitCheckout: async (shop) => {
    const id = await aLink(shop);
    const fields = { ...formFields(cardBody().number), token: tokenIn(await aPage(shop, id)) };
    return { params: { id }, body: new URLSearchParams(fields).toString() };
  },
  loadCheckoutAsset: async (shop) => {
    const { body } = await aPage(shop, await aLink(shop));
    return { params: { name: /\/checkout\/assets\/([^"]+)/.exec(body)?.[1] ?? '' } };
  },

  createPromotion: () => ({ body: promotion }),
  listPromotions: () => ({}),
  getPromotion: aPromotion,
  listDeveloperPromotions: () => ({}),
  readDeveloperPromotion: aPromotion,
  endPromotion: aPromotion,
  listPartnerPromotions: ({ organizationId }) => ({ query: { organizationId } }),
  readPartnerPromotion: aPromotion,
  acceptPromotion: aPromotion,
  endPartnerPromotion: aPromotion,

  createPaymentIntent: async (shop) => ({ body: anIntentFor((await aTerminal(shop)).serial) }),
  getPaymentIntent: async (shop) => ({ params: (await anIntent(shop)).params }),
  listPaymentIntents: async (shop) => ({ query: { terminalCode: (await aTerminal(shop)).serial } }),
  listTerminals: () => ({}),
  cancelPaymentIntent: async (shop) => ({ params: (await anIntent(shop)).params }),
  refundPaymentIntent: async (shop) => ({ params: (await aPaidIntent(shop)).params, body: {} }),
  nextPaymentIntent: async (shop) => {
    const { params, terminalKey } = await anIntent(shop);
    return { query: { waitSeconds: '0' }, terminalKey, shows: [params.id] };
  },
  askPaymentIntent: anIntent,
  payPaymentIntent: async (shop) => ({ ...(await anIntent(shop)), body: tap() }),
  declinePaymentIntent: async (shop) => ({ ...(await anIntent(shop)), body: {} }),

  createBranch: () => ({ body: { name: 'Roma Norte', externalId: crypto.randomUUID() } }),
  listBranches: () => ({}),
  getBranch: async (shop) => ({ params: { id: await aBranch(shop) } }),
  changeBranch: async (shop) => ({ params: { id: await aBranch(shop) }, body: { name: 'Roma Sur' } }),
  createSalesperson: async (shop) => ({ body: await aNewcomer(shop) }),
  listSalespeople: () => ({}),
  getSalesperson: async (shop) => ({ params: { id: await aSalesperson(shop) } }),
  changeSalesperson: async (shop) => ({
    params: { id: await aSalesperson(shop) },
    body: { name: 'Lucía Ramos Ortiz' },
  }),

  listDeveloperSalespeople: () => ({}),
  readDeveloperSalesperson: async (shop) => ({ params: { id: await aSalesperson(shop) } }),

  getOrganization: () => ({}),
  changeOrganization: () => ({ body: { business: { supportPhoneNumber: '+52 55 1234 5678' } } }),
  readDeveloperOrganization: () => ({}),

  listDeveloperPayments: () => ({}),
  readDeveloperPayment: async (shop) => ({ params: { id: (await aPayment(shop)).paymentId } }),
  listPartnerPayments: ({ organizationId }) => ({ query: { organizationId } }),

  listEvents: () => ({}),
  readEvent: async (shop) => ({ params: await anEvent(shop) }),
  listPartnerEvents: ({ organizationId }) => ({ query: { organizationId } }),

  createWebhookEndpoint: () => ({ body: { url: 'http://127.0.0.1:9/webhooks', types: ['hold.*'] } }),
  listWebhookEndpoints: () => ({}),
  getWebhookEndpoint: async (shop) => ({ params: { id: await anEndpoint(shop) } }),
  changeWebhookEndpoint: async (shop) => ({ params: { id: await anEndpoint(shop) }, body: { types: ['payment.*'] } }),
  deleteWebhookEndpoint: async (shop) => ({ params: { id: await anEndpoint(shop) } }),
  turnWebhookSecret: async (shop) => ({ params: { id: await anEndpoint(shop) }, body: {} }),
  listDeliveries: async (shop) => ({ params: { id: await anEndpoint(shop) } }),
  resendDelivery: async (shop) => ({ params: await aDelivery(shop), body: {} }),
  replayEvents: async (shop) => ({ params: { id: await anEndpoint(shop) }, body: { since: '2026-11-20T18:00:00Z' } }),
  testWebhookEndpoint: async (shop) => ({ params: { id: await anEndpoint(shop) }, body: { type: 'hold.placed' } }),

  askForHold: async (shop) => {
    const { id, paymentId } = await aPayment(shop, { holdFunds: true });
    return { params: { id: paymentId }, query: { organizationId: shop.organizationId, paymentMethodId: id } };
  },
  askForHoldEnding: async (shop) => ({ params: { id: (await aPayment(shop, { holdFunds: true })).paymentId } }),
  askForHoldEndings: async (shop) => ({
    query: { id: (await aPayment(shop, { holdFunds: true })).paymentId },
  }),
  askForAcquirer: ({ organizationId }) => ({ params: { id: organizationId } }),
  askForHoldOperations: async (shop) => ({ params: { id: (await aPayment(shop, { holdFunds: true })).paymentId } }),
  askForUnansweredOfHolds: ({ organizationId }) => ({ query: { organizationId } }),
  askForLiveCalls: () => ({}),
  askForPaymentOfIntent: async (shop) => ({ params: (await aPaidIntent(shop)).params }),
  askForTappedPayment: async (shop) => ({ params: { id: (await aPaidIntent(shop)).paymentId } }),
  askForIntent: async (shop) => ({
    params: (await anIntent(shop)).params,
    query: { organizationId: shop.organizationId },
  }),
  askForSalesperson: async (shop) => ({
    params: { id: await aSalesperson(shop) },
    query: { organizationId: shop.organizationId },
  }),
  handOverEvent: ({ organizationId }) => ({ body: oldNews(organizationId) }),
  handOverBunch: ({ organizationId }) => ({ body: [oldNews(organizationId)] }),
};

/** Older than what every service has of the organization. */
const oldNews = (organizationId: string) =>
  newEvent('OrganizationChanged', {
    subject: organizationId,
    sequence: 0,
    time: new Date(),
    data: { organizationId, name: 'Another name', websiteURL: null, partnerId: null },
  });
