import { consumersOf } from '@cobro/frame/definition.ts';
import { declareTopology } from '@cobro/events/topology.ts';
import type { BrokerAddress } from '@cobro/testing/broker-address.ts';
import { dropTopology } from '@cobro/testing/drop-topology.ts';
import { definitions } from '../../services/definitions.ts';
import type { Run } from './run.ts';
import { type Servers, hostAndPort } from './servers/server.ts';

export interface ProvisionedBroker extends BrokerAddress {
  /** The name of every exchange and queue begins with this. It is empty on a broker of our own. */
  prefix: string;
}

export async function provisionRabbitmq(run: Run, rabbitmq: Servers['rabbitmq']): Promise<ProvisionedBroker> {
  const { url, servicePasswords } = rabbitmq;
  const prefix = rabbitmq.owner === 'this-run' ? '' : `cobro-${run.id}.`;
  run.onServer(rabbitmq, { kind: 'topology', server: hostAndPort(url), prefix }, () => dropTopology(url, { prefix }));
  await declareTopology({ url, prefix, consumers: consumersOf(definitions) });
  return { url, prefix, ...(servicePasswords && { servicePasswords }) };
}
