import { join } from 'node:path';
import { cleanUpDeadRuns } from './clean-up.ts';
import { type ClockServer, openClockServer } from './clock-server.ts';
import { type Packed, packPrograms } from './pack-programs.ts';
import { dropForeign } from './drop-foreign.ts';
import { freePort } from '@cobro/testing/free-port.ts';
import { brokerUrlOf } from '@cobro/testing/broker-address.ts';
import { generateKeys, type Keys } from '@cobro/testing/keys.ts';
import type { ClockFollower } from '@cobro/testing/push-offset.ts';
import type { Merchants } from '../../ops/image/first-merchant.ts';
import { createMerchants } from './merchants.ts';
import { type Ports, type PortWishes, choosePorts } from './ports.ts';
import { provisionPostgres } from './provision-postgres.ts';
import { provisionRabbitmq } from './provision-rabbitmq.ts';
import { provisionRedis } from './provision-redis.ts';
import { type Run, openRun } from './run.ts';
import type { Servers } from './servers/server.ts';
import { startServers } from './servers/start-servers.ts';
import type { Environment, Surroundings } from '@cobro/testing/service-environment.ts';
import { type Processes, startProcesses } from './stack-processes.ts';
import { schemaOf } from '@cobro/frame/definition.ts';
import type { Schema } from '@cobro/postgres/migrate.ts';
import { definitions, type ServiceName, serviceNames } from '../../services/definitions.ts';
import { schema as stripeSchema } from '../../acquirers/stripe/src/schema.ts';
import { type StackStripe, startStripe } from './start-stripe.ts';
import { openSpanSink } from './span-sink.ts';

export interface StackOptions extends PortWishes {
  /** The run that owns all processes; a new one unless given. */
  run?: Run;
  /** Servers that run already. Those that are not given are started. */
  servers?: Partial<Servers>;
  /** The services to start; all that exist, unless given. */
  services?: readonly ServiceName[];
  /** Added to the environment of a service (all its replicas) or of the bank. */
  env?: Partial<Record<ServiceName | 'bank' | 'otherBank', Environment>>;
  /** True if a second simulator runs, which the services know as the acquirer `other`. */
  hasOtherBank?: boolean;
  /** The bank: by default the simulator, which runs in any case. */
  acquirer?: 'stripe' | undefined;
  /** True if services check each answer against its contract, and log what breaks it. */
  checked?: boolean;
  /** Started instead of this checkout's programs, on its own schemas. */
  release?: { packed: Packed; schemas: Schema[] };
  /** False if no spans are to be made at all. */
  telemetry?: boolean;
  /** False if a power cut may cost the data. */
  durable?: boolean;
  /** Takes lines of progress. */
  say?: (line: string) => void;
}

/** Servers, bank and services, up and answering. Addresses are base addresses without a slash at the end. */
export interface Stack {
  run: Run;
  servers: Servers;
  /** Address of the main API; ends in /api. */
  baseUrl: string;
  /** Address of the partner API; ends in /api. */
  partnerBaseUrl: string;
  /** Where people sign in. */
  dashboardUrl: string;
  bankUrl: string;
  /** The acquirers besides the one at `bankUrl`, by their names. */
  otherBanks: Readonly<Record<string, string>>;
  /** Set if it is the bank. */
  stripe: StackStripe | undefined;
  clockUrl: string;
  /** The administrator's address of the stack's database, whose schemas are named after the services. */
  databaseUrl: string;
  /** Brings schemas of the database up to date. */
  migrate: (schemas: Schema[]) => Promise<void>;
  brokerUrl: string;
  /** The address with which a service connects to the broker. */
  brokerUrlOf(service: ServiceName): string;
  keys: Keys;
  /** The name of every exchange and queue begins with this. */
  eventsPrefix: string;
  redisUrl: string;
  redisPrefix: string;
  merchants: Merchants;
  /** Addresses of every replica of each service. Other services know only the first. */
  urls: Partial<Record<ServiceName, string[]>>;
  /** The file of spans, one JSON line each. It keeps the newest 20 MB at most. */
  spansFile: string;
  /** The folder of logs: each process writes `<name>.log`, and the older part of a long log is in `<name>.1.log`. */
  logFolder: string;
  processes: Processes;
  /** Ends everything, once, in order, within 20 s. */
  stop(): Promise<void>;
}

export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const say = options.say ?? (() => {});
  await cleanUpDeadRuns({ dropForeign, say });
  const run = options.run ?? openRun();
  try {
    return await startOn(run, options, say);
  } catch (error) {
    // A failure of this stop would hide the reason.
    await run.stop().catch(() => {});
    throw error;
  }
}

async function startOn(run: Run, options: StackOptions, say: (line: string) => void): Promise<Stack> {
  const services = options.services ?? serviceNames;
  const settings = { durable: options.durable ?? true, virtualHosts: 1, running: options.servers ?? {} };
  const packing = options.release?.packed ?? packPrograms(run);
  const [servers, packed] = await Promise.all([startServers(run, settings, say), packing]);
  say('creating the database, the exchanges and the queues');
  const [database, broker] = await Promise.all([
    provisionPostgres(run, servers.postgres, schemasOf(services, options)),
    provisionRabbitmq(run, servers.rabbitmq),
  ]);
  const redis = { url: servers.redis.url, prefix: provisionRedis(run, servers.redis) };
  const spans = await openSpans(run, options.telemetry ?? true);
  const databaseUrl = database.serviceUrls[stripeSchema.name] ?? '';
  const forStripe = { packed, databaseUrl, spansEndpoint: spans.endpoint };
  const stripe = options.acquirer === 'stripe' ? await startStripe(run, forStripe) : undefined;
  let processes: Processes | undefined;
  const clock = await openClock(run, () => processes?.followers() ?? []);
  const ports = await choosePorts(services, options);
  const around: Surroundings = {
    keys: generateKeys(),
    broker,
    redis,
    bankUrl: stripe?.url ?? baseUrl(ports.bank),
    bankToken: stripe?.token,
    clockUrl: clock.url,
    ...addressesAt(ports, options),
  };
  say(`starting the bank simulator and ${services.join(', ')}`);
  const [started, merchants] = await Promise.all([
    startProcesses(run, {
      packed,
      around,
      databaseUrls: database.serviceUrls,
      spansEndpoint: spans.endpoint,
      ports,
      env: options.env ?? {},
      clock,
      checked: options.checked ?? false,
      say,
    }),
    createMerchants(database.serviceUrls, packed.fileOf),
  ]);
  processes = started;
  return {
    run,
    servers,
    baseUrl: `${baseUrl(ports.services.gateway?.[0])}/api`,
    partnerBaseUrl: `${baseUrl(ports.partner[0])}/api`,
    dashboardUrl: `http://localhost:${ports.dashboard[0]}`,
    bankUrl: around.bankUrl,
    otherBanks: around.otherBanks ?? {},
    stripe,
    clockUrl: clock.url,
    databaseUrl: database.adminUrl,
    migrate: database.migrate,
    brokerUrl: broker.url,
    brokerUrlOf: (service) => brokerUrlOf(broker, service),
    keys: around.keys,
    eventsPrefix: broker.prefix,
    redisUrl: redis.url,
    redisPrefix: redis.prefix,
    urls: Object.fromEntries(Object.entries(ports.services).map(([name, all]) => [name, all.map(baseUrl)])),
    spansFile: spans.file,
    logFolder: run.folder,
    merchants,
    processes,
    stop: () => run.stop(),
  };
}

const schemasOf = (services: readonly ServiceName[], { acquirer, release }: StackOptions): Schema[] =>
  release?.schemas ?? [
    ...definitions.filter(({ name }) => services.includes(name)).map(schemaOf),
    ...(acquirer === 'stripe' ? [stripeSchema] : []),
  ];

const addressesAt = (ports: Ports, { hasOtherBank = false }: StackOptions) => ({
  ...(hasOtherBank && { otherBanks: { other: baseUrl(ports.otherBank) } }),
  serviceUrls: Object.fromEntries(Object.entries(ports.services).map(([name, [port]]) => [name, baseUrl(port)])),
  peopleUrl: baseUrl(ports.people[0]),
});

async function openClock(run: Run, followers: () => ClockFollower[]): Promise<ClockServer> {
  const clock = await openClockServer({ port: await freePort(), file: join(run.folder, 'clock.json'), followers });
  run.onStop(clock.close);
  return clock;
}

async function openSpans(run: Run, telemetry: boolean): Promise<{ endpoint: string | undefined; file: string }> {
  const file = join(run.folder, 'spans.jsonl');
  if (!telemetry) return { endpoint: undefined, file };
  const collector = process.env['OTEL_EXPORTER_OTLP_ENDPOINT'];
  if (collector) return { endpoint: collector, file };
  const sink = await openSpanSink(await freePort(), file);
  run.onStop(sink.close);
  return { endpoint: sink.url, file };
}

function baseUrl(port: number | undefined): string {
  return `http://127.0.0.1:${port}`;
}
