import { consumersOf } from '@cobro/frame/definition.ts';
import { declareTopology } from '@cobro/events/topology.ts';
import { dropTopology } from '@cobro/testing/drop-topology.ts';
import { definitions } from '../../services/definitions.ts';
import type { Run } from './run.ts';
import { type Server, hostAndPort } from './servers/server.ts';

export interface ProvisionedBroker {
  url: string;
  /** The name of every exchange and queue begins with this. It is empty on a broker of our own. */
  prefix: string;
}

export async function provisionRabbitmq(run: Run, rabbitmq: Server): Promise<ProvisionedBroker> {
  const { url } = rabbitmq;
  const prefix = rabbitmq.owner === 'this-run' ? '' : `cobro-${run.id}.`;
  run.onServer(rabbitmq, { kind: 'topology', server: hostAndPort(url), prefix }, () => dropTopology(url, { prefix }));
  await declareTopology({ url, prefix, consumers: consumersOf(definitions) });
  return { url, prefix };
}
