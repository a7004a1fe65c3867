import type { Run } from '../run.ts';
import { givenPostgres, givenRabbitmq, givenRedis } from './given-servers.ts';
import { canInstallWithApt, installWithApt } from './install-with-apt.ts';
import { type PostgresSettings, startPrivatePostgres } from './private-postgres.ts';
import { type RabbitmqSettings, startPrivateRabbitmq } from './private-rabbitmq.ts';
import { startPrivateRedis } from './private-redis.ts';
import { type Programs, findPrograms } from './programs.ts';
import { Sentence, type Server, type ServerName, type Servers } from './server.ts';

export interface ServerSettings extends PostgresSettings, RabbitmqSettings {
  /** Those that run already and are to be used as they are. */
  running?: Partial<Servers>;
}

const NAMES: ServerName[] = ['postgres', 'rabbitmq', 'redis'];
const VARIABLES = { postgres: 'DATABASE_URL', rabbitmq: 'AMQP_URL', redis: 'REDIS_URL' } as const;
const PROGRESS_EVERY_MS = 5_000;

/**
 * Brings the three servers up, in parallel, each by the first way that this machine allows: an address in the
 * environment; else programs on the machine, started privately; else, as root on Debian, installed first.
 * Rejects with a `Sentence` that says what is lacking.
 */
export async function startServers(
  run: Run,
  settings: ServerSettings,
  say: (line: string) => void,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Servers> {
  const { running = {} } = settings;
  const wanted = NAMES.filter((name) => running[name] === undefined);
  const lacking = wanted.filter((name) => !environment[VARIABLES[name]] && findPrograms(name) === undefined);
  if (lacking.length > 0 && !canInstallWithApt()) throw whatToDo(lacking);
  const installed = lacking.length > 0 ? installWithApt(lacking, run.logFile('apt-get'), say) : Promise.resolve();

  const waiting = new Set(wanted);
  const started = performance.now();
  const progress = setInterval(() => {
    const seconds = Math.round((performance.now() - started) / 1_000);
    say(`still waiting for ${[...waiting].join(', ')} (${seconds} s)`);
  }, PROGRESS_EVERY_MS);
  async function start<Name extends ServerName>(
    name: Name,
    given: (url: string) => Promise<Servers[Name]>,
    own: (programs: Programs[Name]) => Promise<Servers[Name]>,
  ): Promise<Servers[Name]> {
    const already = running[name];
    if (already !== undefined) return already;
    const url = environment[VARIABLES[name]];
    if (!url && lacking.includes(name)) await installed;
    const server = url ? await given(url) : await own(findPrograms(name) as Programs[Name]);
    waiting.delete(name);
    say(`${server.about} (${((performance.now() - started) / 1_000).toFixed(1)} s)`);
    return server;
  }
  try {
    // All are awaited before a failure is told, so that none is still starting when the run is stopped.
    const [postgres, rabbitmq, redis] = await Promise.allSettled([
      start('postgres', givenPostgres, (programs) => startPrivatePostgres(run, programs, settings)),
      start('rabbitmq', givenRabbitmq, (programs) => startPrivateRabbitmq(run, programs, settings)),
      start('redis', givenRedis, (programs) => startPrivateRedis(run, programs)),
      installed,
    ]);
    return { postgres: valueOf(postgres), rabbitmq: valueOf(rabbitmq), redis: valueOf(redis) };
  } finally {
    clearInterval(progress);
  }
}

function valueOf<T extends Server>(result: PromiseSettledResult<T>): T {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

function whatToDo(lacking: ServerName[]): Sentence {
  const variables = lacking.map((name) => VARIABLES[name]).join(', ');
  return new Sentence(
    `Neither an address nor programs for ${lacking.join(', ')}: install them, set ${variables}, or run as root on Debian.`,
  );
}
