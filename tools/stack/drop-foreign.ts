import { readFileSync } from 'node:fs';
import { type Topology, dropTopology } from '@cobro/testing/drop-topology.ts';
import { dropDatabases } from './provision-postgres.ts';
import { dropKeys } from './provision-redis.ts';
import type { ForeignThing } from './run-record.ts';
import { hostAndPort } from './servers/server.ts';

const VARIABLES = {
  databases: 'DATABASE_URL',
  topology: 'AMQP_URL',
  topologies: 'AMQP_URL',
  'redis-keys': 'REDIS_URL',
} as const satisfies Record<ForeignThing['kind'], string>;

/** Drops what a killed run left on servers that the environment names now; answers what is elsewhere or could not be dropped. */
export async function dropForeign(
  things: ForeignThing[],
  environment: NodeJS.ProcessEnv = process.env,
): Promise<ForeignThing[]> {
  const left: ForeignThing[] = [];
  for (const thing of things) {
    const url = environment[VARIABLES[thing.kind]];
    try {
      if (!url || hostAndPort(url) !== thing.server) left.push(thing);
      else await drop(url, thing);
    } catch {
      left.push(thing);
    }
  }
  return left;
}

function drop(url: string, thing: ForeignThing): Promise<void> {
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
