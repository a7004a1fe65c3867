import { configOf, type ServiceDefinition, urlVariable } from '@cobro/frame/definition.ts';
import type { z } from 'zod';
import { config as stripe } from '../../acquirers/stripe/src/config.ts';
import { definitions } from '../../services/definitions.ts';

/** Where a deployment takes the value of a variable from. If none of these is set: from `env` in the values, if it is there. */
export interface Variable {
  port?: number;
  store?: Store;
  /** A key of the Secret with the services' own keys. */
  key?: string;
  /** The service whose address it is, and the port at which other services call it. */
  service?: string;
  at?: number;
  /**
   * A value of `bank` that a deployment may have in a Secret: the address of the proxy, the token that we send to the bank, or those for
   * the other acquirers.
   */
  ofBank?: 'proxy' | 'token' | 'otherTokens';
  /** TLS between our own processes, which a deployment may switch on. */
  tls?: true;
  /** A key of the acquirer's own Secret. */
  own?: string;
  /** A value of the chart, by the name in its template `cobro.settings`. */
  setting?: string;
  required?: true;
}

export type Store = 'postgres' | 'rabbitmq' | 'redis';

/** The facts about one service that a deployment needs. */
export interface DeployedService {
  /** Callers from outside reach it. */
  door: boolean;
  /** Deployed services that it calls. */
  calls: string[];
  /** Those with a host are reached from outside, the other one by services that call this one. */
  ports: { name: string; port: number; host?: 'main' | 'partner' | 'dashboard' }[];
  stores: (Store | 'bank')[];
  /** An adapter of an acquirer: switched on by a value of its name, and called by all services that call the bank. */
  acquirer?: true;
  /** It sends to public addresses. */
  outside?: true;
  /** The queue, without its prefix, of a service that follows events. */
  queue?: string;
  variables: Record<string, Variable>;
}

const STORES: Record<string, Store> = { DATABASE_URL: 'postgres', AMQP_URL: 'rabbitmq', REDIS_URL: 'redis' };
const SETTINGS: Record<string, string> = {
  BANK_URL: 'bankUrl',
  ACQUIRERS: 'acquirers',
  CHECKOUT_BASE_URL: 'checkoutBaseUrl',
  DASHBOARD_BASE_URL: 'dashboardBaseUrl',
  API_BASE_URL: 'apiBaseUrl',
  KEY_MODE: 'keyMode',
  TRUSTED_PROXY_HOPS: 'trustedProxyHops',
  LOG_LEVEL: 'logLevel',
  EVENTS_PREFIX: 'eventsPrefix',
  REDIS_PREFIX: 'redisPrefix',
  DRAIN_DELAY_MS: 'drainDelayMs',
};
/** Every process listens here; further listeners (`PARTNER_PORT`, `PEOPLE_PORT`) use the next ports. */
const FIRST_PORT = 8080;

/** Every service of the list, by its name. */
export function deployedServices(list: readonly ServiceDefinition[] = definitions): Record<string, DeployedService> {
  return Object.fromEntries(list.map((definition) => [definition.name, deployed(definition, list)]));
}

/** Every adapter, by its name. */
export function deployedAcquirers(): Record<string, DeployedService> {
  return { stripe: deployedAcquirer('stripe', stripe.shape) };
}

function deployedAcquirer(name: string, shape: Record<string, z.ZodType>): DeployedService {
  const valueOf = (variable: string, schema: z.ZodType): Variable => {
    if (variable === 'PORT') return { port: FIRST_PORT };
    if (variable === 'DATABASE_URL') return { store: 'postgres' };
    if (variable.startsWith('TLS_')) return { tls: true };
    const setting = SETTINGS[variable];
    if (setting !== undefined) return { setting };
    const own = variable.toLowerCase().replaceAll('_', '-').replace(`${name}-`, '');
    return schema.safeParse(undefined).success ? {} : { own };
  };
  const variables = Object.entries(shape).filter(([variable]) => variable !== 'HOST');
  return {
    acquirer: true,
    door: false,
    calls: [],
    ports: [{ name: 'http', port: FIRST_PORT }],
    stores: ['postgres'],
    variables: Object.fromEntries(variables.map(([variable, schema]) => [variable, valueOf(variable, schema)])),
  };
}

function deployed(definition: ServiceDefinition, list: readonly ServiceDefinition[]): DeployedService {
  const { name, usesBank, isDoor = false, follows } = definition;
  const names = list.map(({ name: known }) => known);
  const calls = definition.calls.filter((called) => names.includes(called));
  const shape = configOf(definition).shape as Record<string, z.ZodType>;
  const portVariables = portVariablesOf(shape);
  const portOf = (variable: string) => FIRST_PORT + portVariables.indexOf(variable);
  const stores = Object.entries(STORES).flatMap(([variable, store]) => (variable in shape ? [store] : []));
  const variables = Object.entries(shape).flatMap(([variable, schema]): [string, Variable][] => {
    const service = definition.calls.find((called) => urlVariable(called) === variable);
    if (service !== undefined)
      return calls.includes(service) ? [[variable, { service, at: calledAt(service, list) }]] : [];
    // It listens everywhere, which is its default.
    if (variable === 'HOST') return [];
    if (portVariables.includes(variable)) return [[variable, { port: portOf(variable) }]];
    return [[variable, sourceOf(name, variable, schema)]];
  });
  return {
    door: isDoor,
    calls,
    ports: portVariables.map((variable) => portNamed(variable, portOf(variable), isDoor)),
    stores: [...stores, ...(usesBank ? (['bank'] as const) : [])],
    ...(definition.sendsOutside === true && { outside: true as const }),
    ...(follows.length > 0 && { queue: name }),
    variables: Object.fromEntries(variables),
  };
}

const portVariablesOf = (shape: object) => Object.keys(shape).filter((name) => /^(?:\w+_)?PORT$/.test(name));

/** Services call the gateway at the port for people, which cannot be reached from outside. */
function calledAt(service: string, list: readonly ServiceDefinition[]): number {
  const door = list.find(({ name, isDoor }) => name === service && isDoor === true);
  return FIRST_PORT + (door === undefined ? 0 : portVariablesOf(configOf(door).shape).indexOf('PEOPLE_PORT'));
}

function sourceOf(service: string, variable: string, schema: z.ZodType): Variable {
  const store = STORES[variable];
  if (store !== undefined) return { store };
  if (variable === 'INTERNAL_SIGNING_KEY') return { key: `${variable}.${service}` };
  if (variable === 'INTERNAL_VERIFY_KEYS' || schema.meta()?.['drawn'] === true) return { key: variable };
  if (variable === 'HTTPS_PROXY') return { ofBank: 'proxy' };
  if (variable === 'BANK_TOKEN') return { ofBank: 'token' };
  if (variable === 'ACQUIRER_TOKENS') return { ofBank: 'otherTokens' };
  if (variable.startsWith('TLS_')) return { tls: true };
  const setting = SETTINGS[variable];
  const required = !schema.safeParse(undefined).success;
  return { ...(setting !== undefined && { setting }), ...(required && { required }) };
}

function portNamed(variable: string, port: number, isDoor: boolean): DeployedService['ports'][number] {
  const name = variable === 'PORT' ? 'http' : variable.replace(/_PORT$/, '').toLowerCase();
  if (name === 'dashboard') return { name, port, host: name };
  if (!isDoor || name === 'people') return { name, port };
  return { name, port, host: name === 'partner' ? 'partner' : 'main' };
}
