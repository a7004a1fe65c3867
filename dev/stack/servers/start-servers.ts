import type { Run } from '../run.ts';
import { type Way, chooseWays } from './choose-ways.ts';
import { givenPostgres, givenRabbitmq, givenRedis } from './given-servers.ts';
import type { PostgresSettings } from './postgres-settings.ts';
import { startPrivatePostgres } from './private-postgres.ts';
import { startPrivateRabbitmq } from './private-rabbitmq.ts';
import { startPrivateRedis } from './private-redis.ts';
import { type Programs, findPrograms } from './programs.ts';
import type { RabbitmqSettings } from './rabbitmq-settings.ts';
import type { Server, ServerName, Servers } from './server.ts';

export interface ServerSettings extends PostgresSettings, RabbitmqSettings {
  /** Servers that run already and are used as they are. */
  running?: Partial<Servers>;
}

type Container = Extract<Way, { by: 'container' }>;

interface Starter<Name extends ServerName> {
  given: (url: string) => Promise<Servers[Name]>;
  contained: (run: Run, container: Container, settings: ServerSettings) => Promise<Servers[Name]>;
  own: (run: Run, programs: Programs[Name], settings: ServerSettings) => Promise<Servers[Name]>;
}

const NAMES: ServerName[] = ['postgres', 'rabbitmq', 'redis'];
const PROGRESS_EVERY_MS = 5_000;

// The code that needs Docker's client is loaded only if a daemon answers.
const starters: { [Name in ServerName]: Starter<Name> } = {
  postgres: {
    given: givenPostgres,
    contained: async (run, { daemon, image }, settings) =>
      (await import('./docker/postgres.ts')).startPostgresContainer(run, daemon, image, settings),
    own: startPrivatePostgres,
  },
  rabbitmq: {
    given: givenRabbitmq,
    contained: async (run, { daemon, image }, settings) =>
      (await import('./docker/rabbitmq.ts')).startRabbitmqContainer(run, daemon, image, settings),
    own: startPrivateRabbitmq,
  },
  redis: {
    given: givenRedis,
    contained: async (run, { daemon, image }) =>
      (await import('./docker/redis.ts')).startRedisContainer(run, daemon, image),
    own: startPrivateRedis,
  },
};

/**
 * Brings the three servers up at the same time, each in the first way that this machine allows. Rejects with a `Sentence` that
 * says what is lacking.
 */
export async function startServers(
  run: Run,
  settings: ServerSettings,
  say: (line: string) => void,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Servers> {
  const { running = {} } = settings;
  const wanted = NAMES.filter((name) => running[name] === undefined);
  const waiting = new Map(wanted.map((name) => [name, name as string]));
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1_000;
  const progress = setInterval(
    () => say(`still waiting for ${[...waiting.values()].join(', ')} (${Math.round(seconds())} s)`),
    PROGRESS_EVERY_MS,
  );
  try {
    const waitsFor = (name: ServerName, what: string | undefined) => void waiting.set(name, what ?? name);
    const ways = await chooseWays(wanted, { run, environment, say, waitsFor });
    const start = async <Name extends ServerName>(name: Name): Promise<Servers[Name]> => {
      const way = ways.get(name);
      // A server without a way is among those that run already.
      if (way === undefined) return running[name] as Servers[Name];
      const server = await startBy(name, way, run, settings);
      waiting.delete(name);
      say(`${server.about} (${seconds().toFixed(1)} s)`);
      return server;
    };
    // Waits for all servers before a failure is reported, so that none is still starting when the run is stopped.
    const [postgres, rabbitmq, redis] = await Promise.allSettled([
      start('postgres'),
      start('rabbitmq'),
      start('redis'),
    ]);
    return { postgres: valueOf(postgres), rabbitmq: valueOf(rabbitmq), redis: valueOf(redis) };
  } finally {
    clearInterval(progress);
  }
}

async function startBy<Name extends ServerName>(
  name: Name,
  way: Way,
  run: Run,
  settings: ServerSettings,
): Promise<Servers[Name]> {
  const { given, contained, own }: Starter<Name> = starters[name];
  switch (way.by) {
    case 'address':
      return given(way.url);
    case 'container':
      return contained(run, way, settings);
    case 'programs':
      await way.installed;
      return own(run, findPrograms(name) as Programs[Name], settings);
  }
}

function valueOf<T extends Server>(result: PromiseSettledResult<T>): T {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}
