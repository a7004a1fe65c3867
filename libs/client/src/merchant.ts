import type { RouteName } from './api.ts';
import {
  type Caller,
  type CallOptions,
  createCaller,
  identifying,
  type Identity,
  type InputOf,
  type Options,
} from './call.ts';
import { walk } from './walk.ts';

/** The key is `sk_test_…` or `sk_live_…`. */
export type MerchantOptions = Options & Identity;

type BodyOf<N extends RouteName> = InputOf<N> extends { body?: infer B } ? NonNullable<B> : never;
type QueryOf<N extends RouteName> = InputOf<N> extends { query?: infer Q } ? NonNullable<Q> : never;
/** The API needs no externalId; but without one, a request whose answer was lost cannot be sent again. */
type Named<B> = Omit<B, 'externalId'> & { externalId: string };
type Charge = Named<Omit<BodyOf<'chargePaymentMethod'>, 'holdFunds'>>;

/** What a merchant may do. The last parameter of each method is the options of that call. */
export function createClient(options: MerchantOptions) {
  const call = createCaller(options, identifying(options));
  return {
    /** Calls any route by its name, if the methods are not enough. */
    call,
    paymentMethods: paymentMethods(call),
    /** Payments of saved cards; the first id is the card's. */
    payments: payments(call),
    oneTimePayments: oneTimePayments(call),
    paymentLinks: paymentLinks(call),
    subscriptions: subscriptions(call),
    products: products(call),
    paymentIntents: paymentIntents(call),
    branches: branches(call),
    salespeople: salespeople(call),
    /** The merchant's own profile. */
    organization: organization(call),
    promotions: promotions(call),
    /** The fee table, and pending payments and timelines of any origin. */
    records: records(call),
    /** Reports on all payments, as a dashboard shows them. */
    reports: reports(call),
    /** Reads `/developer/v1`: `get` and `list` show every payment with an outcome. */
    developer: developer(call),
    events: events(call),
    webhookEndpoints: webhookEndpoints(call),
  };
}

export type Client = ReturnType<typeof createClient>;

const paymentMethods = (call: Caller) => ({
  save: (body: BodyOf<'savePaymentMethod'>, o?: CallOptions) => call('savePaymentMethod', { body }, o),
  get: (id: string, o?: CallOptions) => call('getPaymentMethod', { params: { id } }, o),
  list: (query: QueryOf<'listPaymentMethods'> = {}, o?: CallOptions) => call('listPaymentMethods', { query }, o),
  revoke: (id: string, o?: CallOptions) => call('revokePaymentMethod', { params: { id } }, o),
});

const payments = (call: Caller) => ({
  charge: (id: string, body: Charge, o?: CallOptions) => call('chargePaymentMethod', { params: { id }, body }, o),
  hold: (id: string, body: Charge, o?: CallOptions) =>
    call('chargePaymentMethod', { params: { id }, body: { ...body, holdFunds: true } }, o),
  get: (id: string, paymentId: string, o?: CallOptions) => call('getPayment', { params: { id, paymentId } }, o),
  list: (id: string, query: QueryOf<'listPayments'> = {}, o?: CallOptions) =>
    call('listPayments', { params: { id }, query }, o),
  /** Without an amount it captures the whole hold. */
  capture: (id: string, paymentId: string, body: BodyOf<'captureHold'> = {}, o?: CallOptions) =>
    call('captureHold', { params: { id, paymentId }, body }, o),
  release: (id: string, paymentId: string, o?: CallOptions) => call('releaseHold', { params: { id, paymentId } }, o),
  refund: (id: string, paymentId: string, body: BodyOf<'refundPayment'> = {}, o?: CallOptions) =>
    call('refundPayment', { params: { id, paymentId }, body }, o),
});

const oneTimePayments = (call: Caller) => ({
  create: (body: Named<BodyOf<'createOneTimePayment'>>, o?: CallOptions) => call('createOneTimePayment', { body }, o),
  /** What its payer sees. */
  view: (id: string, o?: CallOptions) => call('viewOneTimePayment', { params: { id } }, o),
  list: (query: QueryOf<'listOneTimePayments'> = {}, o?: CallOptions) => call('listOneTimePayments', { query }, o),
  /** Everything that its merchant may see. */
  record: (id: string, o?: CallOptions) => call('readOneTimePayment', { params: { id } }, o),
  cancel: (id: string, o?: CallOptions) => call('cancelOneTimePayment', { params: { id } }, o),
  /** Pays as its payer does. */
  pay: (id: string, body: BodyOf<'payOneTimePayment'>, o?: CallOptions) =>
    call('payOneTimePayment', { params: { id }, body }, o),
  refund: (id: string, body: BodyOf<'refundOneTimePayment'> = {}, o?: CallOptions) =>
    call('refundOneTimePayment', { params: { id }, body }, o),
});

const paymentLinks = (call: Caller) => ({
  create: (body: Named<BodyOf<'createPaymentLink'>>, o?: CallOptions) => call('createPaymentLink', { body }, o),
  get: (id: string, o?: CallOptions) => call('getPaymentLink', { params: { id } }, o),
  list: (query: QueryOf<'listPaymentLinks'> = {}, o?: CallOptions) => call('listPaymentLinks', { query }, o),
  change: (id: string, body: BodyOf<'changePaymentLink'>, o?: CallOptions) =>
    call('changePaymentLink', { params: { id }, body }, o),
  /** What its payers see. */
  view: (id: string, o?: CallOptions) => call('viewPaymentLink', { params: { id } }, o),
  /** Pays as a payer does. */
  pay: (id: string, body: BodyOf<'payPaymentLink'>, o?: CallOptions) =>
    call('payPaymentLink', { params: { id }, body }, o),
  attempt: (id: string, attemptId: string, o?: CallOptions) =>
    call('readLinkAttempt', { params: { id, attemptId } }, o),
  payments: (id: string, query: QueryOf<'listLinkPayments'> = {}, o?: CallOptions) =>
    call('listLinkPayments', { params: { id }, query }, o),
  refund: (id: string, paymentId: string, body: BodyOf<'refundLinkPayment'> = {}, o?: CallOptions) =>
    call('refundLinkPayment', { params: { id, paymentId }, body }, o),
});

const subscriptions = (call: Caller) => ({
  /** If it begins today, this request charges its first period. */
  create: (body: Named<BodyOf<'createSubscription'>>, o?: CallOptions) => call('createSubscription', { body }, o),
  get: (id: string, o?: CallOptions) => call('getSubscription', { params: { id } }, o),
  list: (query: QueryOf<'listSubscriptions'> = {}, o?: CallOptions) => call('listSubscriptions', { query }, o),
  /** If it is past due, a new card is charged within seconds. */
  change: (id: string, body: BodyOf<'changeSubscription'>, o?: CallOptions) =>
    call('changeSubscription', { params: { id }, body }, o),
  /** Now, or `atPeriodEnd`. */
  cancel: (id: string, body: BodyOf<'cancelSubscription'> = {}, o?: CallOptions) =>
    call('cancelSubscription', { params: { id }, body }, o),
  pause: (id: string, o?: CallOptions) => call('pauseSubscription', { params: { id } }, o),
  /** Also takes back a cancellation at the end of the period. */
  resume: (id: string, o?: CallOptions) => call('resumeSubscription', { params: { id } }, o),
  periods: (id: string, query: QueryOf<'listSubscriptionPeriods'> = {}, o?: CallOptions) =>
    call('listSubscriptionPeriods', { params: { id }, query }, o),
  /** Charges a period that was not paid. */
  collect: (id: string, number: number, o?: CallOptions) =>
    call('chargeSubscriptionPeriod', { params: { id, number: String(number) } }, o),
});

const products = (call: Caller) => ({
  create: (body: Named<BodyOf<'createProduct'>>, o?: CallOptions) => call('createProduct', { body }, o),
  get: (id: string, o?: CallOptions) => call('getProduct', { params: { id } }, o),
  list: (query: QueryOf<'listProducts'> = {}, o?: CallOptions) => call('listProducts', { query }, o),
  change: (id: string, body: BodyOf<'changeProduct'>, o?: CallOptions) =>
    call('changeProduct', { params: { id }, body }, o),
  changeStock: (id: string, body: Named<BodyOf<'changeStock'>>, o?: CallOptions) =>
    call('changeStock', { params: { id }, body }, o),
});

const paymentIntents = (call: Caller) => ({
  create: (body: BodyOf<'createPaymentIntent'>, o?: CallOptions) => call('createPaymentIntent', { body }, o),
  get: (id: string, o?: CallOptions) => call('getPaymentIntent', { params: { id } }, o),
  list: (query: QueryOf<'listPaymentIntents'> = {}, o?: CallOptions) => call('listPaymentIntents', { query }, o),
  /** The terminals that show intents. */
  terminals: (query: QueryOf<'listTerminals'> = {}, o?: CallOptions) => call('listTerminals', { query }, o),
  cancel: (id: string, o?: CallOptions) => call('cancelPaymentIntent', { params: { id } }, o),
  refund: (id: string, body: BodyOf<'refundPaymentIntent'> = {}, o?: CallOptions) =>
    call('refundPaymentIntent', { params: { id }, body }, o),
});

const branches = (call: Caller) => ({
  create: (body: Named<BodyOf<'createBranch'>>, o?: CallOptions) => call('createBranch', { body }, o),
  get: (id: string, o?: CallOptions) => call('getBranch', { params: { id } }, o),
  list: (query: QueryOf<'listBranches'> = {}, o?: CallOptions) => call('listBranches', { query }, o),
  change: (id: string, body: BodyOf<'changeBranch'>, o?: CallOptions) =>
    call('changeBranch', { params: { id }, body }, o),
});

const salespeople = (call: Caller) => ({
  create: (body: BodyOf<'createSalesperson'>, o?: CallOptions) => call('createSalesperson', { body }, o),
  get: (id: string, o?: CallOptions) => call('getSalesperson', { params: { id } }, o),
  list: (query: QueryOf<'listSalespeople'> = {}, o?: CallOptions) => call('listSalespeople', { query }, o),
  change: (id: string, body: BodyOf<'changeSalesperson'>, o?: CallOptions) =>
    call('changeSalesperson', { params: { id }, body }, o),
});

const organization = (call: Caller) => ({
  get: (o?: CallOptions) => call('getOrganization', {}, o),
  change: (body: BodyOf<'changeOrganization'>, o?: CallOptions) => call('changeOrganization', { body }, o),
});

const promotions = (call: Caller) => ({
  create: (body: Named<BodyOf<'createPromotion'>>, o?: CallOptions) => call('createPromotion', { body }, o),
  get: (id: string, o?: CallOptions) => call('getPromotion', { params: { id } }, o),
  list: (query: QueryOf<'listPromotions'> = {}, o?: CallOptions) => call('listPromotions', { query }, o),
  /** Ends it for good. */
  end: (id: string, o?: CallOptions) => call('endPromotion', { params: { id } }, o),
});

const records = (call: Caller) => ({
  /** The organization's fee table. */
  fees: (o?: CallOptions) => call('listFeeChannels', {}, o),
  /** Payments that the bank has not answered for a minute. */
  pending: (query: QueryOf<'listPendingPayments'> = {}, o?: CallOptions) => call('listPendingPayments', { query }, o),
  timeline: (id: string, o?: CallOptions) => call('readPaymentTimeline', { params: { id } }, o),
});

const reports = (call: Caller) => ({
  days: (query: QueryOf<'reportDays'> = {}, o?: CallOptions) => call('reportDays', { query }, o),
  takings: (query: QueryOf<'reportTakings'> = {}, o?: CallOptions) => call('reportTakings', { query }, o),
  holds: (query: QueryOf<'reportHolds'> = {}, o?: CallOptions) => call('reportHolds', { query }, o),
  payments: ({ cursor, ...query }: QueryOf<'reportPayments'> = {}, o?: CallOptions) =>
    walk((at) => call('reportPayments', { query: { ...query, cursor: at } }, o), cursor),
  disbursement: (id: string, o?: CallOptions) => call('explainDisbursement', { params: { id } }, o),
  settlement: (query: QueryOf<'reportSettlement'>, o?: CallOptions) => call('reportSettlement', { query }, o),
  bankSettlement: (query: QueryOf<'reportBankSettlement'>, o?: CallOptions) =>
    call('reportBankSettlement', { query }, o),
});

const developer = (call: Caller) => ({
  organization: (o?: CallOptions) => call('readDeveloperOrganization', {}, o),
  get: (id: string, o?: CallOptions) => call('readDeveloperPayment', { params: { id } }, o),
  list: ({ cursor, ...query }: QueryOf<'listDeveloperPayments'> = {}, o?: CallOptions) =>
    walk((at) => call('listDeveloperPayments', { query: { ...query, cursor: at } }, o), cursor),
  salesperson: (id: string, o?: CallOptions) => call('readDeveloperSalesperson', { params: { id } }, o),
  salespeople: ({ cursor, ...query }: QueryOf<'listDeveloperSalespeople'> = {}, o?: CallOptions) =>
    walk((at) => call('listDeveloperSalespeople', { query: { ...query, cursor: at } }, o), cursor),
  paymentLink: (id: string, o?: CallOptions) => call('readDeveloperPaymentLink', { params: { id } }, o),
  paymentLinks: ({ cursor, ...query }: QueryOf<'listDeveloperPaymentLinks'> = {}, o?: CallOptions) =>
    walk((at) => call('listDeveloperPaymentLinks', { query: { ...query, cursor: at } }, o), cursor),
  promotion: (id: string, o?: CallOptions) => call('readDeveloperPromotion', { params: { id } }, o),
  promotions: ({ cursor, ...query }: QueryOf<'listDeveloperPromotions'> = {}, o?: CallOptions) =>
    walk((at) => call('listDeveloperPromotions', { query: { ...query, cursor: at } }, o), cursor),
  subscription: (id: string, o?: CallOptions) => call('readDeveloperSubscription', { params: { id } }, o),
  subscriptions: ({ cursor, ...query }: QueryOf<'listDeveloperSubscriptions'> = {}, o?: CallOptions) =>
    walk((at) => call('listDeveloperSubscriptions', { query: { ...query, cursor: at } }, o), cursor),
  product: (id: string, o?: CallOptions) => call('readDeveloperProduct', { params: { id } }, o),
  products: ({ cursor, ...query }: QueryOf<'listDeveloperProducts'> = {}, o?: CallOptions) =>
    walk((at) => call('listDeveloperProducts', { query: { ...query, cursor: at } }, o), cursor),
  paymentMethod: (id: string, o?: CallOptions) => call('readDeveloperPaymentMethod', { params: { id } }, o),
  paymentMethods: ({ cursor, ...query }: QueryOf<'listDeveloperPaymentMethods'> = {}, o?: CallOptions) =>
    walk((at) => call('listDeveloperPaymentMethods', { query: { ...query, cursor: at } }, o), cursor),
});

const events = (call: Caller) => ({
  get: (id: string, o?: CallOptions) => call('readEvent', { params: { id } }, o),
  /** Oldest first. With `waitSeconds` above 0 the walk never ends, and each request waits that long for an event. */
  list: ({ after, ...query }: QueryOf<'listEvents'> = {}, o?: CallOptions) =>
    walk(
      (at) => call('listEvents', { query: { ...query, after: at } }, o),
      after,
      (query.waitSeconds ?? 0) > 0 && query.order !== 'newest',
    ),
});

const webhookEndpoints = (call: Caller) => ({
  create: (body: BodyOf<'createWebhookEndpoint'>, o?: CallOptions) => call('createWebhookEndpoint', { body }, o),
  get: (id: string, o?: CallOptions) => call('getWebhookEndpoint', { params: { id } }, o),
  list: (query: QueryOf<'listWebhookEndpoints'> = {}, o?: CallOptions) => call('listWebhookEndpoints', { query }, o),
  change: (id: string, body: BodyOf<'changeWebhookEndpoint'>, o?: CallOptions) =>
    call('changeWebhookEndpoint', { params: { id }, body }, o),
  delete: (id: string, o?: CallOptions) => call('deleteWebhookEndpoint', { params: { id } }, o),
  turnSecret: (id: string, body: BodyOf<'turnWebhookSecret'> = {}, o?: CallOptions) =>
    call('turnWebhookSecret', { params: { id }, body }, o),
  deliveries: (id: string, { cursor, ...query }: QueryOf<'listDeliveries'> = {}, o?: CallOptions) =>
    walk((at) => call('listDeliveries', { params: { id }, query: { ...query, cursor: at } }, o), cursor),
  resend: (id: string, deliveryId: string, o?: CallOptions) =>
    call('resendDelivery', { params: { id, deliveryId } }, o),
  replay: (id: string, body: BodyOf<'replayEvents'>, o?: CallOptions) =>
    call('replayEvents', { params: { id }, body }, o),
  test: (id: string, body: BodyOf<'testWebhookEndpoint'>, o?: CallOptions) =>
    call('testWebhookEndpoint', { params: { id }, body }, o),
});
