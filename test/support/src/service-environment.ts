import { configOf, urlVariable } from '@cobro/frame/definition.ts';
import { definitions, type ServiceName } from '../../../services/definitions.ts';
import { type BrokerAddress, brokerUrlOf } from './broker-address.ts';
import type { Keys } from './keys.ts';

export type Environment = Record<string, string>;

/** What all services of one stack share, in a test or under the stack tool. Addresses are base addresses. */
export interface Surroundings {
  keys: Keys;
  broker: BrokerAddress & { prefix: string };
  redis: { url: string; prefix: string };
  bankUrl: string;
  bankToken?: string | undefined;
  /** The acquirers besides the one at `bankUrl`, by their names. */
  otherBanks?: Readonly<Record<string, string>>;
  clockUrl: string;
  /** Address of the first replica of each service in the stack. */
  serviceUrls: Partial<Record<ServiceName, string>>;
  /** Address of the gateway's listener for the dashboard. */
  peopleUrl?: string;
}

/** What belongs to one replica. */
export interface Endpoints {
  databaseUrl: string;
  port: number;
  /** Ports of the gateway's other listeners. */
  partnerPort?: number | undefined;
  peoplePort?: number | undefined;
  /** Port of the dashboard's pages. */
  dashboardPort?: number | undefined;
}

/** An address where nobody listens, for a service that the stack was asked to leave out. */
const NOBODY = 'http://127.0.0.1:9';

/** The environment of one replica: what its service's config names, and nothing else. */
export function serviceEnvironment(service: ServiceName, around: Surroundings, endpoints: Endpoints): Environment {
  const definition = definitions.find(({ name }) => name === service);
  if (definition === undefined) throw new Error(`no service is named ${service}`);
  const urls = definitions.map(({ name }) => [urlVariable(name), around.serviceUrls[name] ?? NOBODY]);
  const values: Record<string, string | undefined> = {
    ...Object.fromEntries(urls),
    GATEWAY_URL: around.peopleUrl ?? NOBODY,
    ...around.keys.shared,
    HOST: '127.0.0.1',
    PORT: String(endpoints.port),
    PARTNER_PORT: endpoints.partnerPort === undefined ? undefined : String(endpoints.partnerPort),
    PEOPLE_PORT: endpoints.peoplePort === undefined ? undefined : String(endpoints.peoplePort),
    DASHBOARD_PORT: endpoints.dashboardPort === undefined ? undefined : String(endpoints.dashboardPort),
    DASHBOARD_BASE_URL: `http://localhost:${endpoints.dashboardPort}`,
    API_BASE_URL: `${around.serviceUrls.gateway ?? NOBODY}/api`,
    DRAIN_DELAY_MS: '0',
    DATABASE_URL: endpoints.databaseUrl,
    INTERNAL_SIGNING_KEY: around.keys.signingKey(service),
    AMQP_URL: brokerUrlOf(around.broker, service),
    EVENTS_PREFIX: around.broker.prefix,
    REDIS_URL: around.redis.url,
    REDIS_PREFIX: around.redis.prefix,
    BANK_URL: around.bankUrl,
    BANK_TOKEN: around.bankToken,
    ACQUIRERS: acquirersOf(around),
    CLOCK_URL: around.clockUrl,
    KEY_MODE: 'test',
    WEBHOOKS_TO_LOOPBACK: 'true',
    ISSUERS_ON_LOOPBACK: 'true',
    CHECKOUT_BASE_URL: around.serviceUrls.gateway ?? NOBODY,
  };
  const variables = Object.keys(configOf(definition).shape);
  const given = variables.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]]));
  return Object.fromEntries(given) as Environment;
}

const acquirersOf = ({ otherBanks = {} }: Surroundings): string | undefined =>
  Object.entries(otherBanks)
    .map(([name, url]) => `${name}=${url}`)
    .join(',') || undefined;
