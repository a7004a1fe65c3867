import type { Keys } from './keys.ts';
import type { ProvisionedDatabase } from './provision-postgres.ts';
import type { ProvisionedBroker } from './provision-rabbitmq.ts';
import type { ServiceName } from './services.ts';

/** What all services of one stack share. Addresses are base addresses. */
export interface Surroundings {
  keys: Keys;
  database: ProvisionedDatabase;
  broker: ProvisionedBroker;
  redis: { url: string; prefix: string };
  bankUrl: string;
  clockUrl: string;
  /** The first replica of each service. */
  serviceUrls: Partial<Record<ServiceName, string>>;
  spansEndpoint: string | undefined;
}

export type Environment = Record<string, string>;

/** Stands for a service that a stack was asked to do without. */
const NOBODY = 'http://127.0.0.1:9';
const PASSED_ON = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LC_ALL'];

/** Every process gets what it needs and nothing else that our own environment may hold. */
export function processEnvironment(
  name: string,
  port: number,
  { clockUrl, spansEndpoint }: Pick<Surroundings, 'clockUrl' | 'spansEndpoint'>,
): Environment {
  return {
    ...Object.fromEntries(
      PASSED_ON.flatMap((variable) => (process.env[variable] ? [[variable, process.env[variable]]] : [])),
    ),
    HOST: '127.0.0.1',
    PORT: String(port),
    CLOCK_URL: clockUrl,
    DRAIN_DELAY_MS: '0',
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'info',
    ...(spansEndpoint === undefined ? {} : { OTEL_EXPORTER_OTLP_ENDPOINT: spansEndpoint, OTEL_SERVICE_NAME: name }),
  };
}

export function serviceEnvironment(service: ServiceName, around: Surroundings): Environment {
  const { keys, database, broker } = around;
  const signingKey = keys.signingKeys[service];
  return {
    DATABASE_URL: database.serviceUrls[service] ?? '',
    AMQP_URL: broker.url,
    EVENTS_PREFIX: broker.prefix,
    INTERNAL_VERIFY_KEYS: keys.verifyKeys,
    ...(signingKey === undefined ? {} : { INTERNAL_SIGNING_KEY: signingKey }),
    ...ownEnvironment(service, around),
  };
}

function ownEnvironment(service: ServiceName, around: Surroundings): Environment {
  const { keys, redis, bankUrl, serviceUrls } = around;
  const { payments = NOBODY, holds = NOBODY, reporting = NOBODY } = serviceUrls;
  switch (service) {
    case 'gateway':
      return {
        PAYMENTS_URL: payments,
        HOLDS_URL: holds,
        REPORTING_URL: reporting,
        REDIS_URL: redis.url,
        REDIS_PREFIX: redis.prefix,
        KEY_MODE: 'test',
      };
    case 'payments':
      return {
        HOLDS_URL: holds,
        BANK_URL: bankUrl,
        VAULT_KEY: keys.vaultKey,
        CARD_FINGERPRINT_KEY: keys.cardFingerprintKey,
      };
    case 'holds':
      return { PAYMENTS_URL: payments, BANK_URL: bankUrl };
    case 'reporting':
      return { CURSOR_KEY: keys.cursorKey };
  }
}
