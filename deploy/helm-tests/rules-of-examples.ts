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
  named,
  names,
  ofKind,
  podOf,
  production,
  type Render,
  same,
  specOf,
  withPods,
} from './rendered.ts';

const folder = path.join(import.meta.dirname, '../../deploy/examples');
/** Every object of every example. */
export const examples = (): Manifest[] =>
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

/** The names of the Secrets that a deployment by production.yaml needs. */
const secretsOf = (render: Render) =>
  new Set(
    withPods(render(production)).flatMap((one) => [
      ...environmentOf(one).flatMap(({ valueFrom }) =>
        valueFrom && !valueFrom.secretKeyRef.optional ? [valueFrom.secretKeyRef.name] : [],
      ),
      ...[...JSON.stringify(one).matchAll(/"secret":\{"name":"([^"]+)"/g)].map(([, name = '']) => name),
    ]),
  );

interface Cluster {
  instances: number;
  postgresql: {
    parameters: { max_connections: string };
    synchronous: { method: string; number: number; dataDurability: string };
  };
  plugins: { isWALArchiver: boolean; parameters: { barmanObjectName: string } }[];
}

const ofProduction: ChartRule[] = [
  {
    sentence: 'the example of Postgres answers no commit that a second machine has not, and is backed up',
    check: () => {
      const { metadata } = example('Cluster');
      const { instances, postgresql, plugins } = specOf(example('Cluster')) as unknown as Cluster;
      const backup = specOf(example('ScheduledBackup')) as unknown as { cluster: { name: string } };
      return [
        ...same('instances', instances, 3),
        ...same('synchronous', postgresql.synchronous, { method: 'any', number: 1, dataDurability: 'required' }),
        ...same('archive', plugins[0]?.parameters.barmanObjectName, example('ObjectStore').metadata.name),
        ...same('base backup', backup.cluster.name, metadata.name),
      ];
    },
  },
  {
    sentence: 'each Ingress of the production values has a Secret of its own, because cert-manager makes none for two',
    check: (render) => {
      const tls = ofKind(render(production), 'Ingress').map((one) => {
        const [first] = specOf(one)['tls'] as unknown as { secretName: string }[];
        return first?.secretName ?? '';
      });
      return same('Secrets', tls.toSorted(), ['cobro-dashboard-web', 'cobro-gateway-web']);
    },
  },
  {
    sentence: 'whoever has the alerts of the production values has the series that they look at',
    check: (render) => {
      const all = render(production);
      const [rules, monitors] = [ofKind(all, 'PrometheusRule'), ofKind(all, 'PodMonitor')];
      return [...same('rules', rules.length, 1), ...same('monitors', monitors.length, 1)];
    },
  },
  {
    sentence: 'a new tag over the production values is that of every image',
    check: (render) =>
      withPods(render({ ...production, set: { 'image.tag': 'new' } })).flatMap((one) =>
        podOf(one).containers.flatMap(({ image }) => same(one.metadata.name, image.endsWith(':new'), true)),
      ),
  },
  {
    sentence: 'an autoscaler of the production values wants another pod between a third of a core and 0.6',
    check: (render) => {
      const all = render(production);
      return ofKind(all, 'HorizontalPodAutoscaler').flatMap((one) => {
        const { metrics } = specOf(one) as unknown as {
          metrics: { resource: { target: { averageUtilization: number } } }[];
        };
        const [container] = podOf(named(all, 'Deployment', one.metadata.name)).containers;
        const millicores = Number.parseInt(container?.resources?.requests.cpu ?? '', 10);
        const aim = ((metrics[0]?.resource.target.averageUtilization ?? 0) * millicores) / 100_000;
        return aim >= 0.33 && aim <= 0.6 ? [] : [`${one.metadata.name} aims at ${aim} of a core`];
      });
    },
  },
];

const ofServers: ChartRule[] = [
  {
    sentence:
      'the example of Postgres has as many connections as the production values may open, and the names that they use',
    check: (render) => {
      const cluster = example('Cluster');
      const spec = specOf(cluster) as unknown as Cluster;
      const needed = connectionsOfServices(mostPods(render));
      const given = Number(spec.postgresql.parameters.max_connections);
      const all = JSON.stringify(render(production));
      return [
        ...(given > needed ? [] : [`max_connections is ${given}, and ${needed} are needed`]),
        ...same('policy', all.includes(`"cnpg.io/cluster":"${cluster.metadata.name}"`), true),
        ...same('authority', secretsOf(render).has(`${cluster.metadata.name}-ca`), true),
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
        ...same('RabbitMQ', secretsOf(render).has(tls.secretName), true),
        ...same(
          'Valkey',
          valkey.includes('"secretName":"cobro-valkey-tls"') && secretsOf(render).has('cobro-valkey-tls'),
          true,
        ),
      ];
    },
  },
  {
    sentence: 'what the examples make for servers has the names that the production values and the addresses use',
    check: (render) => {
      const made = ofKind(examples(), 'Certificate').map((one) => String(specOf(one)['secretName']));
      const all = [...withPods(render(production)), ...ofKind(render(production), 'Ingress')].map((one) =>
        JSON.stringify(one),
      );
      const wanted = ['cobro-internal-tls', 'rabbitmq-tls', 'cobro-valkey-tls'];
      return [
        ...wanted.flatMap((name) => same(`${name} is made`, made.includes(name), true)),
        ...wanted.flatMap((name) =>
          same(
            `${name} is used`,
            all.some((text) => text.includes(`"${name}"`)),
            true,
          ),
        ),
        ...same('Service', example('Service').metadata.name, 'cobro-valkey'),
      ];
    },
  },
  {
    sentence: 'every object of an example says its namespace, and each server is under a policy',
    check: () => {
      const servers = ['Cluster', 'RabbitmqCluster', 'Deployment'].map((kind) => example(kind).metadata.name);
      const policies = ofKind(examples(), 'NetworkPolicy').map(({ metadata }) => metadata.name);
      return [
        ...examples().flatMap(({ kind, metadata }) =>
          metadata.namespace === undefined ? [`${kind} ${metadata.name} says none`] : [],
        ),
        ...same('policies', policies.toSorted(), servers.toSorted()),
      ];
    },
  },
  {
    sentence: 'Flux takes each change of the chart, and waits as long as a migration may take',
    check: (render) => {
      const { chart, timeout } = specOf(example('HelmRelease')) as unknown as {
        chart: { spec: { reconcileStrategy: string } };
        timeout: string;
      };
      const migration = Number(
        specOf(named(render(production), 'Job', 'shop-cobro-migration'))['activeDeadlineSeconds'],
      );
      return [
        ...same('strategy', chart.spec.reconcileStrategy, 'Revision'),
        ...same('waits', Number.parseInt(timeout, 10) * 60 > migration, true),
      ];
    },
  },
  {
    sentence: 'the Secrets that External Secrets makes are all that the production values name, but for certificates',
    check: (render) => {
      const made = ofKind(examples(), 'ExternalSecret').map(({ metadata }) => metadata.name);
      const needed = [...secretsOf(render)].filter((name) => !/-(?:ca|tls)$/.test(name));
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

export const rulesOfExamples: ChartRule[] = [...ofProduction, ...ofServers];
