import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { ServiceName } from '../../services/definitions.ts';
import { connectionsNeeded, connectionsOfServices } from '../../dev/docs/connections-page.ts';
import { devChartFolder } from './chart.ts';
import type { Manifest } from './check-manifest.ts';
import {
  type ChartRule,
  environmentOf,
  names,
  ofKind,
  production,
  type Render,
  same,
  specOf,
  withPods,
} from './rendered.ts';

const folder = path.join(import.meta.dirname, '../../deploy/examples');
/** Every object of every example. */
const examples = (): Manifest[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .flatMap((file) => parseAllDocuments(readFileSync(path.join(folder, file), 'utf8')))
    .map((document) => document.toJS() as Manifest);
const example = (kind: string): Manifest => {
  const [found] = ofKind(examples(), kind);
  if (found === undefined) throw new Error(`no example has a ${kind}`);
  return found;
};

/** The most pods that the production values allow for each service. */
const mostPods = (render: Render) => {
  const all = ofKind(render(production), 'HorizontalPodAutoscaler').concat(ofKind(render(production), 'ScaledObject'));
  return Object.fromEntries(
    names.map((name) => {
      const spec = specOf(all.find(({ metadata }) => metadata.name === `shop-cobro-${name}`) as Manifest);
      return [name, Number(spec['maxReplicas'] ?? spec['maxReplicaCount'])];
    }),
  ) as Record<ServiceName, number>;
};

/** The Secrets and ConfigMaps that a deployment by production.yaml has to find. */
const named = (render: Render) =>
  new Set(
    withPods(render(production)).flatMap((one) => [
      ...environmentOf(one).flatMap(({ valueFrom }) => (valueFrom ? [valueFrom.secretKeyRef.name] : [])),
      ...[...JSON.stringify(one).matchAll(/"secret":\{"name":"([^"]+)"/g)].map(([, name = '']) => name),
    ]),
  );

export const rulesOfExamples: ChartRule[] = [
  {
    sentence:
      'the example of Postgres has as many connections as the production values may open, and the names that they use',
    check: (render) => {
      const cluster = example('Cluster');
      const spec = specOf(cluster) as unknown as { postgresql: { parameters: { max_connections: string } } };
      const needed = connectionsOfServices(mostPods(render));
      const given = Number(spec.postgresql.parameters.max_connections);
      const all = JSON.stringify(render(production));
      return [
        ...(given > needed ? [] : [`max_connections is ${given}, and ${needed} are needed`]),
        ...same('policy', all.includes(`"cnpg.io/cluster":"${cluster.metadata.name}"`), true),
        ...same('authority', named(render).has(`${cluster.metadata.name}-ca`), true),
      ];
    },
  },
  {
    sentence: "a trial's Postgres has as many connections as two pods of each service may open while they are replaced",
    check: (render) => {
      const given = Number(/max_connections=(\d+)/.exec(JSON.stringify(render({ chart: devChartFolder })))?.[1]);
      const needed = connectionsNeeded(2);
      return given > needed ? [] : [`max_connections is ${given}, and ${needed} are needed`];
    },
  },
  {
    sentence: 'the examples of RabbitMQ and Valkey serve the certificates and Secrets that the production values name',
    check: (render) => {
      const { tls } = specOf(example('RabbitmqCluster')) as unknown as { tls: { secretName: string } };
      const valkey = JSON.stringify(example('Deployment'));
      return [
        ...same('RabbitMQ', named(render).has(tls.secretName), true),
        ...same(
          'Valkey',
          valkey.includes('"secretName":"cobro-valkey-tls"') && named(render).has('cobro-valkey-tls'),
          true,
        ),
      ];
    },
  },
  {
    sentence: 'the Secrets that External Secrets makes are all that the production values name, but for certificates',
    check: (render) => {
      const made = ofKind(examples(), 'ExternalSecret').map(({ metadata }) => metadata.name);
      const needed = [...named(render)].filter((name) => !/-(?:ca|tls)$/.test(name));
      return same('Secrets', made.toSorted(), needed.toSorted());
    },
  },
  {
    sentence:
      'what Argo CD renders without a cluster looks nothing up in one, and Flux runs no test where money is real',
    check: (render) => {
      const flux = specOf(example('HelmRelease')) as unknown as { test?: unknown };
      const annotated = ofKind(render(production), 'Deployment').filter((one) =>
        JSON.stringify(one).includes('checksum/'),
      );
      return [...same('checksums', annotated.length, 0), ...same('test', flux.test, undefined)];
    },
  },
];
