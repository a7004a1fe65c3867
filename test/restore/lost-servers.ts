import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { declareTopology } from '@cobro/events/topology.ts';
import { consumersOf } from '@cobro/frame/definition.ts';
import { definitions } from '../../services/definitions.ts';
import type { Run } from '../../dev/stack/run.ts';
import { refuseGivenServers } from '../../dev/stack/servers/given-servers.ts';
import { findPrograms } from '../../dev/stack/servers/programs.ts';
import { startPrivatePostgres } from '../../dev/stack/servers/private-postgres.ts';
import { startPrivateRabbitmq } from '../../dev/stack/servers/private-rabbitmq.ts';
import { Sentence } from '../../dev/stack/servers/server.ts';
import type { PostgresTools } from './postgres-tools.ts';

export type LostServers = Awaited<ReturnType<typeof startServersToLose>>;

/**
 * Starts the drill's own Postgres and broker, whose data it deletes. @throws Sentence if the environment names servers or this machine
 * lacks their programs
 */
export async function startServersToLose(run: Run, tools: PostgresTools) {
  refuseGivenServers('The drill throws data away, so it starts its own servers');
  process.env['STACK'] = 'native';
  const broker = findPrograms('rabbitmq');
  if (broker === undefined) throw new Sentence('The drill needs the programs of RabbitMQ on this machine.');
  const [postgres, rabbitmq] = await Promise.all([
    startPrivatePostgres(run, tools.programs, { durable: true }),
    startPrivateRabbitmq(run, broker, { virtualHosts: 1 }),
  ]);
  const data = join(run.dataFolder, 'postgres', 'data');
  return {
    running: { postgres, rabbitmq },
    /** The folder of Postgres' files. */
    data,
    /** Ends both like a crash and deletes their data. */
    lose: async () => {
      await Promise.all([postgres.kill(), rabbitmq.kill()]);
      rmSync(data, { recursive: true });
      rmSync(join(run.dataFolder, 'rabbitmq', 'mnesia'), { recursive: true });
    },
    /** Starts a broker without any message on the same port, with all queues. */
    startEmptyBroker: async () => {
      await rabbitmq.start();
      await declareTopology({ url: rabbitmq.url, consumers: consumersOf(definitions) });
    },
  };
}
