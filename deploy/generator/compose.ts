import { stringify } from 'yaml';
import { variableOf } from '../../ops/image/secrets.ts';
import {
  type DeployedService,
  deployedAcquirers,
  deployedServices,
  type Store,
  type Variable,
} from './deployed-services.ts';

const HEADER = `# Everything on one machine, for a look. Written by npm run docs -- deploy; docs/deploy.md says how to use it. Not for production.
`;
const image = (name: string) => `cobro-${name}:\${COBRO_VERSION:-dev}`;
const fromFile = (variable: string) => `\${${variable}:?make deploy/docker/.env first, see docs/deploy.md}`;
/** For a variable that not every deployment sets: without it the value is empty. */
const fromFileIfThere = (variable: string) => `\${${variable}:-}`;
const SETTINGS: Record<string, string> = {
  bankUrl: '${BANK_URL:-http://bank:8080}',
  checkoutBaseUrl: 'http://127.0.0.1:${COBRO_PORT:-8080}',
  apiBaseUrl: 'http://127.0.0.1:${COBRO_PORT:-8080}/api',
  dashboardBaseUrl: 'http://localhost:${COBRO_DASHBOARD_PORT:-8083}',
  keyMode: 'test',
  trustedProxyHops: '0',
  logLevel: '${LOG_LEVEL:-info}',
  drainDelayMs: '2000',
};

/** Ports of this machine, if another service has the port that is used inside. */
const OUTSIDE: Record<string, number> = { dashboard: 8083 };

/** Confines our containers as the chart does: nothing is writable, and no process is root. */
const confined = {
  read_only: true,
  cap_drop: ['ALL'],
  security_opt: ['no-new-privileges:true'],
  tmpfs: ['/tmp'],
};
const build = (name: string) => ({
  image: image(name),
  build: {
    context: '../..',
    dockerfile: 'deploy/docker/Dockerfile',
    args: { SERVICE: name, BASE: '${BASE:-node:24-trixie-slim}' },
  },
});
const telemetry = (name: string) => ({
  OTEL_SERVICE_NAME: name,
  OTEL_EXPORTER_OTLP_ENDPOINT: '${TRACES_ENDPOINT:-}',
});

/** The compose file: every service, the servers, the bank simulator, merchants to try it with, and a trace viewer. */
export function composeFile(services: Record<string, DeployedService> = deployedServices()): string {
  const addresses = operationsEnvironment(Object.keys(services));
  const done = (name: string) => ({ [name]: { condition: 'service_completed_successfully' } });
  const healthy = (...names: string[]) =>
    Object.fromEntries(names.map((name) => [name, { condition: 'service_healthy' }]));
  const own = Object.entries(services).map(([name, service]) => [name, serviceOf(name, service)]);
  const acquirers = Object.entries(deployedAcquirers()).map(([name, adapter]) => [
    name,
    { ...serviceOf(name, adapter), profiles: [name] },
  ]);
  const operations = { ...build('operations'), ...confined, environment: addresses };
  const ofCommands = {
    ...addresses,
    KEY_MODE: SETTINGS['keyMode'],
    BANK_URL: SETTINGS['bankUrl'],
    DASHBOARD_BASE_URL: SETTINGS['dashboardBaseUrl'],
    // As the .env file says, or not set.
    BANK_TOKEN: null,
    ACQUIRERS: null,
    ACQUIRER_TOKENS: null,
  };
  const compose = {
    name: 'cobro',
    services: {
      ...serversOf(),
      bank: {
        ...build('bank'),
        ...confined,
        environment: { PORT: '8080', LEDGER_PATH: '/tmp/ledger.db', ...telemetry('bank') },
        ports: ['127.0.0.1:${BANK_PORT:-8090}:8080'],
      },
      roles: { ...operations, command: ['create-roles'], depends_on: healthy('postgres') },
      migration: { ...operations, command: ['migrate'], depends_on: { ...done('roles'), ...healthy('rabbitmq') } },
      ...Object.fromEntries(own),
      ...Object.fromEntries(acquirers),
      merchants: {
        ...operations,
        command: ['first-merchant'],
        depends_on: done('migration'),
        profiles: ['operations'],
      },
      operations: {
        ...operations,
        environment: ofCommands,
        command: ['help'],
        depends_on: done('migration'),
        profiles: ['operations'],
      },
      traces: {
        image: 'jaegertracing/jaeger:2.11.0',
        ports: ['127.0.0.1:${TRACES_PORT:-16686}:16686'],
        profiles: ['traces'],
      },
    },
    volumes: { postgres: {} },
  };
  return HEADER + stringify(compose, { lineWidth: 0, aliasDuplicateObjects: false });
}

function serviceOf(name: string, service: DeployedService) {
  const given = Object.entries(service.variables).flatMap(([variable, from]) => {
    const value = valueOf(variable, from, name, service.acquirer === true ? fromFileIfThere : fromFile);
    return value === undefined ? [] : [[variable, value] as const];
  });
  const published = service.ports.flatMap(({ name: port, port: inside, host }) => {
    if (host === undefined) return [];
    const variable = port === 'http' ? 'COBRO_PORT' : `COBRO_${port.toUpperCase()}_PORT`;
    return [`127.0.0.1:\${${variable}:-${OUTSIDE[port] ?? inside}}:${inside}`];
  });
  return {
    ...build(name),
    ...confined,
    environment: { ...Object.fromEntries(given), ...telemetry(name) },
    depends_on: { migration: { condition: 'service_completed_successfully' } },
    stop_grace_period: '45s',
    ...(published.length > 0 && { ports: published }),
  };
}

function valueOf(
  variable: string,
  { port, store, key, own, ofBank, service, at, setting }: Variable,
  name: string,
  read: (variable: string) => string,
): string | null | undefined {
  if (port !== undefined) return String(port);
  if (own !== undefined) return read(variableOf(name, own));
  // As the .env file says, or not set.
  if (ofBank === 'token' || ofBank === 'otherTokens' || setting === 'acquirers') return null;
  if (store !== undefined) return read(variableOf(store, store === 'redis' ? 'url' : `${name}-url`));
  if (key !== undefined) return fromFile(variableOf('keys', key));
  if (service !== undefined) return `http://${service}:${at}`;
  return setting === undefined ? undefined : SETTINGS[setting];
}

function operationsEnvironment(names: string[]): Record<string, string> {
  return {
    ADMIN_DATABASE_URL: fromFile('POSTGRES_ADMIN_URL'),
    AMQP_URL: fromFile('RABBITMQ_ADMIN_URL'),
    BASE_URL: 'http://gateway:8080/api',
    STRIPE_OWNER_URL: fromFileIfThere(variableOf('postgres', 'stripe-owner-url')),
    STRIPE_DATABASE_URL: fromFileIfThere(variableOf('postgres', 'stripe-url')),
    ...Object.fromEntries(
      names.flatMap((name) => [
        [`${name.toUpperCase()}_OWNER_URL`, fromFile(variableOf('postgres', `${name}-owner-url`))],
        [`${name.toUpperCase()}_DATABASE_URL`, fromFile(variableOf('postgres', `${name}-url`))],
      ]),
    ),
  };
}

function serversOf(): Record<Store, object> {
  const asked = (test: string[]) => ({ test, interval: '2s', timeout: '5s', retries: 60 });
  return {
    postgres: {
      image: '${POSTGRES_IMAGE:-postgres:18}',
      environment: { POSTGRES_PASSWORD: fromFile('POSTGRES_ADMIN_PASSWORD') },
      volumes: ['postgres:/var/lib/postgresql'],
      healthcheck: asked(['CMD', 'pg_isready', '-U', 'postgres', '-h', '127.0.0.1']),
    },
    rabbitmq: {
      image: '${RABBITMQ_IMAGE:-rabbitmq:4}',
      hostname: 'rabbitmq',
      environment: { DEFINITIONS: fromFile('RABBITMQ_DEFINITIONS_JSON') },
      // RabbitMQ has a user for each service from its first start on.
      command: [
        'sh',
        '-c',
        [
          'printf %s "$$DEFINITIONS" > /etc/rabbitmq/definitions.json',
          'echo load_definitions = /etc/rabbitmq/definitions.json > /etc/rabbitmq/conf.d/90-cobro.conf',
          'exec docker-entrypoint.sh rabbitmq-server',
        ].join(' && '),
      ],
      healthcheck: asked(['CMD', 'rabbitmq-diagnostics', '-q', 'check_port_connectivity']),
    },
    redis: {
      image: '${REDIS_IMAGE:-redis:8}',
      command: ['redis-server', '--save', '', '--requirepass', fromFile('REDIS_PASSWORD')],
    },
  };
}
