import type { Run } from '../run.ts';
import type { Daemon } from './docker/daemon.ts';
import { canInstallWithApt, installWithApt } from './install-with-apt.ts';
import { findPrograms } from './programs.ts';
import { Sentence, type ServerName } from './server.ts';

/**
 * How we get a server: it is there already, we start it in a container, or we start programs on this machine once they are
 * installed.
 */
export type Way =
  | { by: 'address'; url: string }
  | { by: 'container'; daemon: Daemon; image: string }
  | { by: 'programs'; installed: Promise<void> };

export interface Choosing {
  run: Run;
  environment: NodeJS.ProcessEnv;
  say: (line: string) => void;
  /** Says what a server waits for, if that takes long; undefined once the server is there. */
  waitsFor: (name: ServerName, what: string | undefined) => void;
}

const VARIABLES = { postgres: 'DATABASE_URL', rabbitmq: 'AMQP_URL', redis: 'REDIS_URL' } as const;
const IMAGES = { postgres: 'postgres:18', rabbitmq: 'rabbitmq:4', redis: 'redis:8' } as const;

/**
 * For each server the first way that this machine allows (docs/stack.md): an address in the environment, a container, programs,
 * programs that apt-get installs. `STACK` = docker or native leaves only the container or programs. @throws Sentence that says
 * what is lacking
 */
export async function chooseWays(names: ServerName[], choosing: Choosing): Promise<Map<ServerName, Way>> {
  const { run, environment, say } = choosing;
  const forced = forcedWay(environment);
  const ways = new Map<ServerName, Way>();
  for (const name of names) {
    const url = environment[VARIABLES[name]];
    if (url) ways.set(name, { by: 'address', url });
  }
  const without = () => names.filter((name) => !ways.has(name));
  if (forced !== 'native' && without().length > 0) {
    for (const [name, way] of await containersFor(without(), forced === 'docker', choosing)) ways.set(name, way);
  }
  const lacking = without().filter((name) => findPrograms(name) === undefined);
  if (lacking.length > 0 && !canInstallWithApt()) throw whatToDo(lacking, forced);
  const installed = lacking.length > 0 ? installWithApt(lacking, run.logFile('apt-get'), say) : Promise.resolve();
  // The servers that need the installation await it, so its failure is not unhandled.
  installed.catch(() => {});
  for (const name of without()) {
    ways.set(name, { by: 'programs', installed: lacking.includes(name) ? installed : Promise.resolve() });
  }
  return ways;
}

/** @throws Sentence if `STACK` is neither */
export function forcedWay({ STACK: way }: NodeJS.ProcessEnv): 'docker' | 'native' | undefined {
  if (!way) return undefined;
  if (way !== 'docker' && way !== 'native') throw new Sentence(`STACK must be docker or native, not "${way}".`);
  return way;
}

async function containersFor(
  names: ServerName[],
  forced: boolean,
  { run, say, waitsFor }: Choosing,
): Promise<[ServerName, Way][]> {
  // Imported only when needed, because loading it takes half a second.
  const { findDaemon, obtainImage, removeContainersOf, useReaperIfPossible } = await import('./docker/daemon.ts');
  const daemon = await findDaemon();
  if (daemon === undefined) {
    if (forced)
      throw new Sentence('STACK=docker, but no Docker daemon answers on this machine: start one, or unset STACK.');
    return [];
  }
  const obtain = async (name: ServerName) => {
    const image = IMAGES[name];
    const lack = await obtainImage(daemon, image, () => {
      say(`docker: pulling the image ${image}, which the first time takes up to some minutes`);
      waitsFor(name, `the image ${image}`);
    });
    waitsFor(name, undefined);
    return lack;
  };
  const [lacks] = await Promise.all([Promise.all(names.map(obtain)), useReaperIfPossible(daemon)]);
  const ways: [ServerName, Way][] = [];
  for (const [index, name] of names.entries()) {
    const image = IMAGES[name];
    const reason = lacks[index];
    if (reason === undefined) ways.push([name, { by: 'container', daemon, image }]);
    else if (!forced) say(`docker: the image ${image} cannot be had (${reason}): trying the next way for ${name}`);
    else throw new Sentence(`STACK=docker, but the image ${image} cannot be had (${reason}): get it, or unset STACK.`);
  }
  if (ways.length > 0)
    run.onServer({ owner: 'foreign' }, { kind: 'containers', run: run.id }, () => removeContainersOf(run.id));
  return ways;
}

function whatToDo(lacking: ServerName[], forced: 'docker' | 'native' | undefined): Sentence {
  const variables = lacking.map((name) => VARIABLES[name]).join(', ');
  const docker = forced === 'native' ? '' : 'start Docker, ';
  return new Sentence(
    `No way to ${lacking.join(', ')}: ${docker}install the programs, set ${variables}, or run as root on Debian.`,
  );
}
