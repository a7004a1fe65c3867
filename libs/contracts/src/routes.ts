import type { Method, RouteContract, Who } from './route.ts';
import * as apiKeys from './routes/api-keys.ts';
import * as branches from './routes/branches.ts';
import * as checkout from './routes/checkout.ts';
import * as events from './routes/events.ts';
import * as feeChannels from './routes/fee-channels.ts';
import * as internal from './routes/internal.ts';
import * as oneTimePayments from './routes/one-time-payments.ts';
import * as organizations from './routes/organizations.ts';
import * as paymentIntents from './routes/payment-intents.ts';
import * as paymentLinks from './routes/payment-links.ts';
import * as paymentReads from './routes/payment-reads.ts';
import * as paymentTimeline from './routes/payment-timeline.ts';
import * as platform from './routes/platform.ts';
import * as platformOperations from './routes/platform-operations.ts';
import * as products from './routes/products.ts';
import * as promotions from './routes/promotions.ts';
import * as reports from './routes/reports.ts';
import * as salespeople from './routes/salespeople.ts';
import * as savedCardPayments from './routes/saved-card-payments.ts';
import * as savedCards from './routes/saved-cards.ts';
import * as settlements from './routes/settlements.ts';
import * as subscriptions from './routes/subscriptions.ts';
import * as webhookEndpoints from './routes/webhook-endpoints.ts';

const METHODS: Method[] = ['POST', 'GET', 'PATCH', 'DELETE'];

const files = [
  savedCards,
  savedCardPayments,
  oneTimePayments,
  paymentLinks,
  checkout,
  feeChannels,
  paymentIntents,
  branches,
  salespeople,
  organizations,
  paymentReads,
  paymentTimeline,
  products,
  promotions,
  subscriptions,
  reports,
  settlements,
  events,
  webhookEndpoints,
  apiKeys,
  platform,
  platformOperations,
  internal,
] as const;

type NamesIn<File> = File extends unknown ? keyof File : never;
/** The name under which a contract is exported. */
export type RouteName = NamesIn<(typeof files)[number]>;

/** Every route of every service: all contracts that these files export. Only a new file needs an entry there. */
const named: readonly (readonly [name: string, contract: RouteContract])[] = files
  .flatMap((file) => Object.entries<RouteContract>(file))
  .toSorted(([, a], [, b]) => a.path.localeCompare(b.path) || METHODS.indexOf(a.method) - METHODS.indexOf(b.method));
const contracts = named.map(([, contract]) => contract);
const names = new Map(named.map(([name, contract]) => [contract, name]));

/** The name under which its file exports the contract. It is the operationId of the OpenAPI documents. */
export const nameOf = (contract: RouteContract): string => names.get(contract) ?? '';

/** The contracts on each of the gateway's two listeners for the outside: the main one and the partners'. */
const elsewhere: readonly Who[] = ['partner', 'service', 'person', 'platform'];
export const mainContracts = contracts.filter(({ who }) => !elsewhere.includes(who));
export const partnerContracts = contracts.filter(({ who }) => who === 'partner');
/** Contracts that no key may call. The gateway serves them itself, only on the listener for people; no OpenAPI document has them. */
export const personContracts = contracts.filter(({ who }) => who === 'person');
/** Contracts for people who run the platform, on the same listener and in no document either. */
export const platformContracts = contracts.filter(({ who }) => who === 'platform');
export const internalContracts = contracts.filter(({ who }) => who === 'service');
/** The contracts that a service has to implement. */
export const contractsOf = (service: string): readonly RouteContract[] =>
  contracts.filter((contract) => contract.service === service);
