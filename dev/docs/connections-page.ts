import { connectionsOf } from '@cobro/frame/connections.ts';
import { definitions, type ServiceName, serviceNames } from '../../services/definitions.ts';
import { code, page, table } from './markdown.ts';

/** Connections for the migration and for operators' commands at the same time. */
const BESIDES = 10;

const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0);
const ofOnePod = definitions.map((definition) => {
  const parts = connectionsOf(definition);
  return { name: definition.name, parts, connections: sum(Object.values(parts)) };
});

/**
 * The `max_connections` that these numbers of pods need. During an upgrade each service has one more pod, and each pod may have all its
 * connections open.
 */
export const connectionsOfServices = (pods: Readonly<Record<ServiceName, number>>): number =>
  sum(ofOnePod.map(({ name, connections }) => (pods[name] + 1) * connections)) + BESIDES;

/** The same, with equally many pods of each service. */
export function connectionsNeeded(replicas: number): number {
  const pods = Object.fromEntries(serviceNames.map((name) => [name, replicas])) as Record<ServiceName, number>;
  return connectionsOfServices(pods);
}

/** The most connections that one process of each service opens, and their sums. */
export function connectionsPage(): string {
  return page(
    'Connections to Postgres',
    'From the definition of each service and `libs/frame/src/connections.ts`. One process opens at most:',
    table(
      ['service', 'connections', 'for'],
      ofOnePod.map(({ name, parts, connections }) => [
        name,
        String(connections),
        Object.entries(parts)
          .map(([what, count]) => `${what} ${count}`)
          .join(', '),
      ]),
    ),
    `So ${code('max_connections')} has to be more than the sum over all services of (pods + 1) × connections, and ${BESIDES} for the migration and for operators' ` +
      'commands. The pod more is that of a rolling upgrade. Where every service has the same number of pods:',
    table(
      ['pods of each service', 'connections while they are replaced, at most'],
      [1, 2, 3, 4, 6, 8].map((replicas) => [String(replicas), String(connectionsNeeded(replicas))]),
    ),
    `Where each service has a Postgres of its own, each server needs its own line only. Connections are opened as they are needed, and closed after 30 s without use, so there are far fewer on the average.`,
  );
}
