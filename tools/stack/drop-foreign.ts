import { dropDatabase } from './provision-postgres.ts';
import { dropTopology } from './provision-rabbitmq.ts';
import { dropKeys } from './provision-redis.ts';
import type { ForeignThing } from './run-record.ts';
import { hostAndPort } from './servers/server.ts';

/** Drops what a killed run left on servers that the environment names now; answers what is elsewhere or could not be dropped. */
export async function dropForeign(
  things: ForeignThing[],
  environment: NodeJS.ProcessEnv = process.env,
): Promise<ForeignThing[]> {
  const left: ForeignThing[] = [];
  for (const thing of things) {
    const url =
      environment[thing.kind === 'database' ? 'DATABASE_URL' : thing.kind === 'topology' ? 'AMQP_URL' : 'REDIS_URL'];
    const dropped =
      url &&
      hostAndPort(url) === thing.server &&
      (await drop(url, thing).then(
        () => true,
        () => false,
      ));
    if (!dropped) left.push(thing);
  }
  return left;
}

function drop(url: string, thing: ForeignThing): Promise<void> {
  switch (thing.kind) {
    case 'database':
      return dropDatabase(url, thing.name, thing.roles);
    case 'topology':
      return dropTopology(url, thing.prefix);
    case 'redis-keys':
      return dropKeys(url, thing.prefix);
  }
}
