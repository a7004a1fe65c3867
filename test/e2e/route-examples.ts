import { newEvent } from '@cobro/contracts/events.ts';
import { outwardId } from '@cobro/contracts/outward-events.ts';
import type { RouteName } from '@cobro/contracts/routes.ts';
import type * as apiKeys from '@cobro/contracts/routes/api-keys.ts';
import { tappedCardBody } from '@cobro/testing/test-intents.ts';
import { formFields, tokenIn } from '@cobro/testing/test-links.ts';
import { cardBody } from '@cobro/testing/test-merchant.ts';
import { until } from '@cobro/testing/until.ts';
import { runCommand } from '../../dev/seed/run-command.ts';
import { sendTo } from './client.ts';
import type { RouteExample, Shop } from './sent-example.ts';

const payer = { email: 'ana@example.com', firstName: 'Ana', lastName: 'Torres' };

const aCard = ({ merchant }: Shop) => merchant.saveCard();

/** The path of a payment that has just been made with a new card. */
async function aPayment(shop: Shop, body?: object): Promise<{ id: string; paymentId: string }> {
  const id = await aCard(shop);
  return { id, paymentId: (await shop.merchant.charge(id, body)).body.id };
}

async function create(shop: Shop, path: string, body: object): Promise<string> {
  const made = await shop.merchant.send('POST', path, { body });
  if (made.status !== 201) throw new Error(`${path}: ${made.status} ${JSON.stringify(made.body)}`);
  return String(made.body['id']);
}

/** To which nothing is sent, because what changes by itself would look like a change by a stranger. */
async function anEndpoint(shop: Shop): Promise<string> {
  const id = await create(shop, '/webhook-endpoint', { url: 'http://127.0.0.1:9/webhooks', types: ['hold.expired'] });
  await shop.merchant.send('PATCH', `/webhook-endpoint/${id}`, { body: { status: 'DISABLED' } });
  return id;
}

async function aDelivery(shop: Shop): Promise<{ id: string; deliveryId: string }> {
  const id = await anEndpoint(shop);
  const tested = await shop.merchant.send('POST', `/webhook-endpoint/${id}/test`, { body: { type: 'hold.placed' } });
  return { id, deliveryId: String(tested.body['id']) };
}

/** An event that has come. */
async function anEvent(shop: Shop): Promise<{ id: string }> {
  const id = outwardId((await aPayment(shop)).paymentId, 'payment.confirmed');
  await until('the event has come', async () => (await shop.merchant.send('GET', `/event/${id}`)).status === 200);
  return { id };
}

/** A payment that reporting knows. */
async function aReportedPayment(shop: Shop): Promise<string> {
  const { paymentId } = await aPayment(shop);
  const path = `/developer/v1/payment/${paymentId}`;
  await until('reporting follows', async () => (await shop.merchant.send('GET', path)).status === 200);
  return paymentId;
}

const aProductBody = { name: 'Talavera', price: 479, stock: 12 };
const aProduct = (shop: Shop) => create(shop, '/product', aProductBody);

const aLink = (shop: Shop) => create(shop, '/one-time-payment', { amount: 900, description: 'Dos boletos' });
const attempt = { card: cardBody(), billingInformation: payer };

async function aPaidLink(shop: Shop): Promise<string> {
  const id = await aLink(shop);
  await create(shop, `/one-time-payment/${id}/payment`, attempt);
  return id;
}

const aPaymentLink = (shop: Shop) => create(shop, '/payment-link', { amount: 350, description: 'Clase de yoga' });
const linkAttempt = () => ({ ...attempt, attemptId: crypto.randomUUID(), amount: 350 });

async function aPaymentOfALink(shop: Shop): Promise<{ id: string; paymentId: string; attemptId: string }> {
  const id = await aPaymentLink(shop);
  const body = linkAttempt();
  return { id, paymentId: await create(shop, `/payment-link/${id}/payment`, body), attemptId: body.attemptId };
}

const aPage = async ({ stack }: Shop, id: string) =>
  sendTo(new URL(stack.baseUrl).origin, undefined)<string>('GET', `/checkout/${id}`);

async function aTerminal({ stack, organizationId }: Shop): Promise<{ serial: string; terminalKey: string }> {
  const serial = `SN-${crypto.randomUUID()}`;
  const args = ['--organization', organizationId, '--serial', serial];
  const { key = '' } = await runCommand(stack.databaseUrl, 'terminals', 'create', ...args);
  return { serial, terminalKey: key };
}

const anIntentFor = (terminalCode: string) => ({
  amount: 250,
  currency: 'MXN',
  externalId: crypto.randomUUID(),
  terminalCode,
});

/** A new terminal that has an open intent. */
async function anIntent(shop: Shop): Promise<{ params: { id: string }; terminalKey: string }> {
  const { serial, terminalKey } = await aTerminal(shop);
  return { params: { id: await create(shop, '/payment-intent', anIntentFor(serial)) }, terminalKey };
}

const aBranch = (shop: Shop) => create(shop, '/business-store-branch', { name: 'Roma Norte' });

async function aNewcomer(shop: Shop): Promise<object> {
  const username = `lucia-${crypto.randomUUID()}`;
  return { name: 'Lucía Ramos', username, businessStoreBranchId: await aBranch(shop) };
}

const aSalesperson = async (shop: Shop) => create(shop, '/salesperson', await aNewcomer(shop));

const tap = () => ({ attemptId: crypto.randomUUID(), card: tappedCardBody() });

async function aPaidIntent(shop: Shop): Promise<{ params: { id: string }; paymentId: string }> {
  const { params, terminalKey } = await anIntent(shop);
  const paid = await sendTo(shop.stack.baseUrl, undefined)('POST', `/terminal/v1/payment-intent/${params.id}/payment`, {
    headers: { 'x-terminal-key': terminalKey },
    body: tap(),
  });
  if (paid.status !== 201) throw new Error(`the intent was not paid: ${paid.status}`);
  return { params, paymentId: (paid.body as { paymentId: string }).paymentId };
}

/** An example for each route but those for people alone. A contract without one does not compile. */
export const routeExamples: Record<
  Exclude<RouteName, keyof typeof apiKeys>,
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

/** Older than what everybody knows of the organization. */
const oldNews = (organizationId: string) =>
  newEvent('OrganizationChanged', {
    subject: organizationId,
    sequence: 0,
    time: new Date(),
    data: { organizationId, name: 'Another name', websiteURL: null, partnerId: null },
  });
