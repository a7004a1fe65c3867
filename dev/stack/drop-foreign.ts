import { readFileSync } from 'node:fs';
import { type Topology, dropTopology } from '@cobro/testing/drop-topology.ts';
import { dropDatabases } from './provision-postgres.ts';
import { dropKeys } from './provision-redis.ts';
import type { ForeignThing } from './run-record.ts';
import { forcedWay } from './servers/choose-ways.ts';
import { hostAndPort } from './servers/server.ts';

type OnServer = Exclude<ForeignThing, { kind: 'containers' }>;

const VARIABLES = {
  databases: 'DATABASE_URL',
  topology: 'AMQP_URL',
  topologies: 'AMQP_URL',
  'redis-keys': 'REDIS_URL',
} as const satisfies Record<OnServer['kind'], string>;

/**
 * Drops what a killed run left in Docker and on the servers that the environment names now. Returns what is on other servers or
 * could not be dropped.
 */
export async function dropForeign(
  things: ForeignThing[],
  environment: NodeJS.ProcessEnv = process.env,
): Promise<ForeignThing[]> {
  const left: ForeignThing[] = [];
  for (const thing of things) {
    if (!(await drop(thing, environment).catch(() => false))) left.push(thing);
  }
  return left;
}

async function drop(thing: ForeignThing, environment: NodeJS.ProcessEnv): Promise<boolean> {
  if (thing.kind === 'containers') return forcedWay(environment) === 'native' ? false : dropContainers(thing.run);
  const url = environment[VARIABLES[thing.kind]];
  if (!url || hostAndPort(url) !== thing.server) return false;
  await dropFrom(url, thing);
  return true;
}

async function dropContainers(run: string): Promise<boolean> {
  // Imported only when needed, because loading it takes half a second.
  const { removeContainersOf } = await import('./servers/docker/daemon.ts');
  await removeContainersOf(run);
  return true;
}

function dropFrom(url: string, thing: OnServer): Promise<void> {
  switch (thing.kind) {
    case 'databases':
      return dropDatabases(url, thing.prefix);
    case 'topology':
      return dropTopology(url, { prefix: thing.prefix });
    case 'topologies':
      return dropTopology(url, ...topologiesIn(thing.file));
    case 'redis-keys':
      return dropKeys(url, thing.prefix);
  }
}

export function topologiesIn(file: string): Topology[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Topology);
}
