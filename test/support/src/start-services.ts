import type { Caller } from '@cobro/contracts/caller.ts';
import { type Database, openPatiently } from '@cobro/postgres/database.ts';
import { TOKEN_HEADER } from '@cobro/service-kit/internal-token.ts';
import { brokenContracts } from './check-answers.ts';
import { type ServiceName, serviceNames } from '../../../services/definitions.ts';
import { freePort } from './free-port.ts';
import { parsed } from './parsed.ts';
import type { ClockFollower } from './push-offset.ts';
import { bankOn } from './start-bank.ts';
import { testBroker } from './test-broker.ts';
import { openTestClock } from './test-clock.ts';
import { type TestDatabase, testDatabase } from './test-database.ts';
import { generateKeys, type Keys } from './keys.ts';
import { serviceEnvironment, type Surroundings } from './service-environment.ts';
import { packedFile, type TestProcess, testProcess } from './test-process.ts';
import { testRedis } from './test-redis.ts';

export type { ServiceName } from '../../../services/definitions.ts';

export interface HttpRequest {
  method?: string;
  path: string;
  /** Sent as JSON, except that text and bytes are sent as they are. */
  body?: unknown;
  /** The caller in the internal token. The gateway signs it, or the caller if that is a service. Without a caller no token is sent. */
  caller?: Caller;
  headers?: Record<string, string>;
  replica?: number;
}

export interface HttpAnswer {
  status: number;
  headers: Headers;
  /** Parsed JSON, or the text if the body is not JSON. */
  body: unknown;
}

export type RunningServices = Awaited<ReturnType<typeof startServices>>;

/** On a machine that stands still for a second, a running bank would count as unreachable. */
const PATIENCE = { BANK_CONNECT_TIMEOUT_MS: '30000' };

interface Started {
  database: TestDatabase;
  admin: Database;
  replicas: { url: string; process: TestProcess }[];
}

/**
 * Starts real processes of services on free ports, with their own databases, broker topology, bank and clock. Takes about 2 s. `env` is
 * added to every environment. `replicas` share a database and a queue; other services know the address of the first. Nobody listens at
 * the address of a service that was not asked for.
 */
export async function startServices(options: {
  services: readonly ServiceName[];
  env?: Record<string, string>;
  replicas?: Partial<Record<ServiceName, number>>;
  /** Absolute folder with a folder of each image's files, to run the images' programs. */
  images?: string;
}) {
  const [clock, broker, urls] = await openAround(options.services, options.replicas ?? {});
  const bank = bankOn(await freePort(), { CLOCK_URL: clock.url });
  const dashboards = await Promise.all((urls.get('dashboard') ?? []).map(() => freePort()));
  const keys = generateKeys();
  const around: Surroundings = {
    keys,
    broker,
    redis: testRedis(),
    bankUrl: bank.url,
    clockUrl: clock.url,
    serviceUrls: Object.fromEntries([...urls].map(([service, [first]]) => [service, first])),
  };
  const started = new Map<ServiceName, Started>();
  const bring = async (service: ServiceName) => {
    const database = await testDatabase(service);
    const admin = openPatiently({ url: database.adminUrl, schema: service, max: 8 });
    const replicas = (urls.get(service) ?? []).map((url, i) => {
      const endpoints = { databaseUrl: database.url, port: Number(new URL(url).port), dashboardPort: dashboards[i] };
      const env = { ...serviceEnvironment(service, around, endpoints), ...PATIENCE, ...options.env };
      return { url, process: serviceProcess(service, url, env, options.images) };
    });
    started.set(service, { database, admin, replicas });
    await Promise.all(replicas.map((replica) => replica.process.start()));
  };
  const stop = async () => {
    const all = [...started.values()];
    const processes = all.flatMap(({ replicas }) => replicas.map((replica) => replica.process));
    await Promise.all(processes.map((process) => process.kill()));
    await Promise.all([...all.map(({ admin }) => admin.close()), bank.close(), clock.close()]);
    await Promise.all([...all.map(({ database }) => database.drop()), broker.drop()]);
    throwBroken(processes);
  };
  const begun = await Promise.allSettled([bank.start(), ...options.services.map(bring)]);
  const failure = begun.find((result) => result.status === 'rejected');
  if (failure !== undefined) throw await stop().then(() => failure.reason as Error);
  const find = (service: ServiceName) => startedOf(started, service);
  const replicaOf = (service: ServiceName, replica = 0) => {
    const found = find(service).replicas[replica];
    if (found === undefined) throw new Error(`${service} has no replica ${replica}`);
    return found;
  };
  return {
    bank,
    broker,
    keys,
    ...processesOf(replicaOf),
    /** Where the pages of the dashboard are. */
    dashboardUrl: (replica = 0) => `http://localhost:${dashboards[replica]}`,
    call: (service: ServiceName, request: HttpRequest) =>
      send(service, replicaOf(service, request.replica).url, request, keys),
    /** The service's database as an administrator sees it, with the service's schema as search_path. */
    db: (service: ServiceName) => find(service).admin,
    /** The address with which the service itself connects to its database. */
    databaseUrl: (service: ServiceName) => find(service).database.url,
    /** Business time. */
    now: clock.now,
    // Forward, in all processes. The bank's clock moves first, or the bank would book a request at an earlier time than the service.
    moveClock: (ms: number) => clock.move(ms, [bank, ...followersOf(options.services, urls, keys)]),
    /** What all replicas of the service have written to stdout and stderr. */
    logs: (service: ServiceName) => find(service).replicas.map(outputOf).join(''),
    stop,
  };
}

/** What a test does with the processes of services. */
const processesOf = (replicaOf: (service: ServiceName, replica?: number) => Started['replicas'][number]) => ({
  url: (service: ServiceName, replica?: number) => replicaOf(service, replica).url,
  /** Ends the process like a crash. */
  kill: (service: ServiceName, replica?: number) => replicaOf(service, replica).process.kill(),
  /** Asks the process to end, as a supervisor does. Returns its exit code. */
  terminate: (service: ServiceName, replica?: number) => replicaOf(service, replica).process.terminate(),
  /** Stops the process in the middle of what it does, as a frozen machine would, and `resume` lets it go on. */
  pause: (service: ServiceName, replica?: number) => replicaOf(service, replica).process.pause(),
  resume: (service: ServiceName, replica?: number) => replicaOf(service, replica).process.resume(),
  /** True however it ended. */
  hasEnded: (service: ServiceName, replica?: number) => replicaOf(service, replica).process.hasEnded(),
  /** Starts a process again that has ended, with the same environment or with these variables changed. */
  restart: (service: ServiceName, replica?: number, changed?: Record<string, string | undefined>) =>
    replicaOf(service, replica).process.start(changed),
});

function startedOf(started: Map<ServiceName, Started>, service: ServiceName): Started {
  const found = started.get(service);
  if (found === undefined) throw new Error(`${service} was not started`);
  return found;
}

const followersOf = (services: readonly ServiceName[], urls: Map<ServiceName, string[]>, keys: Keys): ClockFollower[] =>
  services.flatMap((service) =>
    (urls.get(service) ?? []).map((url) => ({ url, token: () => keys.clockToken(service) })),
  );

const outputOf = ({ process }: { process: TestProcess }) => process.output();

const openAround = (services: readonly ServiceName[], replicas: Partial<Record<ServiceName, number>>) =>
  Promise.all([openTestClock(), testBroker({ only: services }), addressesOf(replicas)]);

/** Free addresses for every replica of every service that exists. */
async function addressesOf(replicas: Partial<Record<ServiceName, number>>): Promise<Map<ServiceName, string[]>> {
  const urls = new Map<ServiceName, string[]>();
  for (const service of serviceNames) {
    const ports = await Promise.all(Array.from({ length: replicas[service] ?? 1 }, () => freePort()));
    urls.set(
      service,
      ports.map((port) => `http://127.0.0.1:${port}`),
    );
  }
  return urls;
}

function throwBroken(processes: TestProcess[]): void {
  const broken = processes.flatMap((process) => brokenContracts(process.output()));
  if (broken.length > 0) throw new Error(broken.join('\n'));
}

function serviceProcess(
  service: ServiceName,
  url: string,
  env: Record<string, string>,
  images: string | undefined,
): TestProcess {
  const program =
    images === undefined
      ? {
          main: `services/${service}/src/main.ts`,
          preload: ['libs/service-kit/src/telemetry.ts', 'test/support/src/check-answers.ts'].map(packedFile),
        }
      : { main: `${images}/${service}/main.js`, preload: [`${images}/${service}/preload.js`] };
  return testProcess({ ...program, env: { PATH: process.env['PATH'] ?? '', ...env }, url });
}

async function send(service: ServiceName, url: string, request: HttpRequest, keys: Keys): Promise<HttpAnswer> {
  const { method = 'GET', path, body, caller, headers = {} } = request;
  const issuer = caller?.kind === 'service' ? caller.name : 'gateway';
  const raw = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(caller === undefined ? {} : { [TOKEN_HEADER]: await keys.token(issuer, caller, service) }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: raw as string }),
    redirect: 'manual',
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: parsed(text) };
}
