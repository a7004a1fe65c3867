import type { Route } from './document.ts';

/** How libs/client calls each route: the method, which takes the ids of the path, and then the body or the query. */
export const clientMethods: Readonly<Record<string, string>> = {
  savePaymentMethod: 'cobro.paymentMethods.save',
  listPaymentMethods: 'cobro.paymentMethods.list',
  getPaymentMethod: 'cobro.paymentMethods.get',
  revokePaymentMethod: 'cobro.paymentMethods.revoke',
  listDeveloperPaymentMethods: 'cobro.developer.paymentMethods',
  readDeveloperPaymentMethod: 'cobro.developer.paymentMethod',
  createProduct: 'cobro.products.create',
  listProducts: 'cobro.products.list',
  getProduct: 'cobro.products.get',
  changeProduct: 'cobro.products.change',
  changeStock: 'cobro.products.changeStock',
  createSubscription: 'cobro.subscriptions.create',
  listSubscriptions: 'cobro.subscriptions.list',
  getSubscription: 'cobro.subscriptions.get',
  changeSubscription: 'cobro.subscriptions.change',
  cancelSubscription: 'cobro.subscriptions.cancel',
  pauseSubscription: 'cobro.subscriptions.pause',
  resumeSubscription: 'cobro.subscriptions.resume',
  listSubscriptionPeriods: 'cobro.subscriptions.periods',
  chargeSubscriptionPeriod: 'cobro.subscriptions.collect',
  listDeveloperSubscriptions: 'cobro.developer.subscriptions',
  readDeveloperSubscription: 'cobro.developer.subscription',
  listDeveloperPaymentLinks: 'cobro.developer.paymentLinks',
  readDeveloperPaymentLink: 'cobro.developer.paymentLink',
  listDeveloperPromotions: 'cobro.developer.promotions',
  readDeveloperPromotion: 'cobro.developer.promotion',
  listDeveloperProducts: 'cobro.developer.products',
  readDeveloperProduct: 'cobro.developer.product',
  chargePaymentMethod: 'cobro.payments.charge',
  listPayments: 'cobro.payments.list',
  getPayment: 'cobro.payments.get',
  captureHold: 'cobro.payments.capture',
  releaseHold: 'cobro.payments.release',
  refundPayment: 'cobro.payments.refund',
  reportDays: 'cobro.reports.days',
  reportTakings: 'cobro.reports.takings',
  reportHolds: 'cobro.reports.holds',
  reportPayments: 'cobro.reports.payments',
  explainDisbursement: 'cobro.reports.disbursement',
  reportSettlement: 'cobro.reports.settlement',
  reportBankSettlement: 'cobro.reports.bankSettlement',
  listPendingPayments: 'cobro.records.pending',
  readPaymentTimeline: 'cobro.records.timeline',
  listFeeChannels: 'cobro.records.fees',
  createOneTimePayment: 'cobro.oneTimePayments.create',
  listOneTimePayments: 'cobro.oneTimePayments.list',
  viewOneTimePayment: 'cobro.oneTimePayments.view',
  readOneTimePayment: 'cobro.oneTimePayments.record',
  cancelOneTimePayment: 'cobro.oneTimePayments.cancel',
  payOneTimePayment: 'cobro.oneTimePayments.pay',
  refundOneTimePayment: 'cobro.oneTimePayments.refund',
  createPaymentLink: 'cobro.paymentLinks.create',
  listPaymentLinks: 'cobro.paymentLinks.list',
  getPaymentLink: 'cobro.paymentLinks.get',
  changePaymentLink: 'cobro.paymentLinks.change',
  viewPaymentLink: 'cobro.paymentLinks.view',
  payPaymentLink: 'cobro.paymentLinks.pay',
  readLinkAttempt: 'cobro.paymentLinks.attempt',
  listLinkPayments: 'cobro.paymentLinks.payments',
  refundLinkPayment: 'cobro.paymentLinks.refund',
  createPromotion: 'cobro.promotions.create',
  listPromotions: 'cobro.promotions.list',
  getPromotion: 'cobro.promotions.get',
  endPromotion: 'cobro.promotions.end',
  createPaymentIntent: 'cobro.paymentIntents.create',
  getPaymentIntent: 'cobro.paymentIntents.get',
  listPaymentIntents: 'cobro.paymentIntents.list',
  listTerminals: 'cobro.paymentIntents.terminals',
  cancelPaymentIntent: 'cobro.paymentIntents.cancel',
  refundPaymentIntent: 'cobro.paymentIntents.refund',
  nextPaymentIntent: 'terminal.next',
  askPaymentIntent: 'terminal.ask',
  payPaymentIntent: 'terminal.pay',
  declinePaymentIntent: 'terminal.decline',
  createBranch: 'cobro.branches.create',
  listBranches: 'cobro.branches.list',
  getBranch: 'cobro.branches.get',
  changeBranch: 'cobro.branches.change',
  createSalesperson: 'cobro.salespeople.create',
  listSalespeople: 'cobro.salespeople.list',
  getSalesperson: 'cobro.salespeople.get',
  changeSalesperson: 'cobro.salespeople.change',
  getOrganization: 'cobro.organization.get',
  changeOrganization: 'cobro.organization.change',
  listDeveloperSalespeople: 'cobro.developer.salespeople',
  readDeveloperSalesperson: 'cobro.developer.salesperson',
  readDeveloperOrganization: 'cobro.developer.organization',
  listDeveloperPayments: 'cobro.developer.list',
  readDeveloperPayment: 'cobro.developer.get',
  listEvents: 'cobro.events.list',
  readEvent: 'cobro.events.get',
  createWebhookEndpoint: 'cobro.webhookEndpoints.create',
  listWebhookEndpoints: 'cobro.webhookEndpoints.list',
  getWebhookEndpoint: 'cobro.webhookEndpoints.get',
  changeWebhookEndpoint: 'cobro.webhookEndpoints.change',
  deleteWebhookEndpoint: 'cobro.webhookEndpoints.delete',
  turnWebhookSecret: 'cobro.webhookEndpoints.turnSecret',
  listDeliveries: 'cobro.webhookEndpoints.deliveries',
  resendDelivery: 'cobro.webhookEndpoints.resend',
  replayEvents: 'cobro.webhookEndpoints.replay',
  testWebhookEndpoint: 'cobro.webhookEndpoints.test',
  listPartnerPayments: 'partner.payments',
  listPartnerEvents: 'partner.events',
  listPartnerPromotions: 'partner.promotions',
  readPartnerPromotion: 'partner.promotion',
  acceptPromotion: 'partner.acceptPromotion',
  endPartnerPromotion: 'partner.endPromotion',
};

/** Lists that a client walks by `for await`. */
const walks = new Set([
  'listDeveloperSalespeople',
  'listDeveloperPayments',
  'listDeveloperPaymentMethods',
  'listDeveloperPaymentLinks',
  'listDeveloperPromotions',
  'listDeveloperProducts',
  'listDeveloperSubscriptions',
  'reportPayments',
  'listEvents',
  'listDeliveries',
]);

const bodyOf = ({ requestBody }: Route): unknown => requestBody?.content?.['application/json']?.example;
const idsIn = ({ path }: Route) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
/** `$ID`, `$PAYMENT_ID`: values from the reader's earlier answers. */
const inShell = (name: string) => `$${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;

export function curlOf(route: Route): string {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => inShell(name));
  const [scheme] = Object.keys(route.security[0] ?? {});
  const body = bodyOf(route);
  const isPost = route.method === 'POST' && body !== undefined;
  return [
    `curl ${route.method === 'GET' || isPost ? '' : `-X ${route.method} `}"$COBRO_URL${path}"`,
    ...(scheme === undefined ? [] : [`-H "${scheme === 'terminalKey' ? 'x-terminal-key' : 'x-api-key'}: $COBRO_KEY"`]),
    ...(body === undefined ? [] : [`-H 'content-type: application/json'`, `-d '${JSON.stringify(body)}'`]),
  ].join(' \\\n  ');
}

/** Not JSON: read as a stream. */
const streams = new Set(['exportPayments']);

export function typeScriptOf(route: Route): string {
  if (streams.has(route.operationId)) {
    return `const answer = await fetch(\`\${COBRO_URL}${route.path}\`, { headers: { 'x-api-key': COBRO_KEY } });\nawait answer.body.pipeTo(file);`;
  }
  const method = clientMethods[route.operationId];
  if (method === undefined)
    throw new Error(`web/reference/src/samples.ts does not say how a client calls ${route.operationId}`);
  const body = bodyOf(route);
  const given = [...idsIn(route), ...(body === undefined ? [] : [literalOf(body)])].join(', ');
  if (walks.has(route.operationId)) return `for await (const one of ${method}(${given})) {\n  console.log(one);\n}`;
  return `const answer = await ${method}(${given});`;
}

/** JSON as a program writes it. */
const literalOf = (value: unknown) =>
  JSON.stringify(value, null, 2)
    .replaceAll(/"(\w+)":/g, '$1:')
    .replaceAll(/"([^"'\\]*)"/g, "'$1'");
