import { devChartFolder } from './chart.ts';
import type { Manifest } from './check-manifest.ts';
import {
  type ChartRule,
  environmentOf,
  file,
  named,
  names,
  ofKind,
  podOf,
  production,
  same,
  services,
  specOf,
  twoCores,
  variable,
  withPods,
} from './rendered.ts';

/** The objects of the chart; none reaches more than the definitions say. */
const structure: ChartRule[] = [
  {
    sentence: 'every service of the definitions has a Deployment and a Service, and no other has',
    check: (render) => {
      const all = render(twoCores);
      const expected = names.map((name) => `shop-cobro-${name}`).toSorted();
      const found = (kind: string) =>
        ofKind(all, kind)
          .map(({ metadata }) => metadata.name)
          .toSorted();
      return [...same('Deployments', found('Deployment'), expected), ...same('Services', found('Service'), expected)];
    },
  },
  {
    sentence: 'no container has a variable twice',
    check: (render) =>
      [twoCores, production].flatMap(render).flatMap((one) => {
        if (withPods([one]).length === 0) return [];
        const all = environmentOf(one).map(({ name }) => name);
        return same(one.metadata.name, all.length, new Set(all).size);
      }),
  },
  {
    sentence: 'every variable that a service refuses to start without is there',
    check: (render) => {
      const all = render(twoCores);
      return names.flatMap((name) => {
        const there = environmentOf(named(all, 'Deployment', `shop-cobro-${name}`)).map((one) => one.name);
        return Object.entries(services[name]?.variables ?? {})
          .filter(([wanted, { required, store, key }]) => (required || store || key) && !there.includes(wanted))
          .map(([wanted]) => `${name} has no ${wanted}`);
      });
    },
  },
  {
    sentence: 'no password and no key is in an object of the chart: they come from Secrets',
    check: (render) =>
      withPods(render(production)).flatMap((one) =>
        environmentOf(one)
          .filter(
            ({ name, value }) =>
              /PASSWORD|_KEYS?$|DATABASE_URL|OWNER_URL|AMQP_URL|REDIS_URL/.test(name) && value !== undefined,
          )
          .map(({ name }) => `${one.metadata.name}: ${name} has a value`),
      ),
  },
  {
    sentence: 'a release with another name shares no object with the first',
    check: (render) => {
      const key = ({ kind, metadata }: Manifest) => `${kind}/${metadata.name}`;
      const first = new Set(render(twoCores).map(key));
      return render({ ...twoCores, set: { fullnameOverride: 'other' } })
        .map(key)
        .filter((one) => first.has(one));
    },
  },
];

/** The Job that declares the schemas and the queues, and the one in which operators' commands run. */
const OWNERS = ['shop-cobro-migration', 'shop-cobro-operations'];

const safety: ChartRule[] = [
  {
    sentence: 'every pod of both charts is as Pod Security restricted wants it, and ours cannot write to their root',
    check: (render) =>
      withPods([...render(production), ...render({ chart: devChartFolder })]).flatMap((one) => {
        const { securityContext, automountServiceAccountToken, containers } = podOf(one);
        const about = one.metadata.name;
        return [
          ...same(`${about}: runAsNonRoot`, securityContext['runAsNonRoot'], true),
          ...same(`${about}: seccomp`, securityContext['seccompProfile'], { type: 'RuntimeDefault' }),
          ...same(`${about}: token`, automountServiceAccountToken, false),
          ...containers.flatMap((container) => [
            ...same(`${about}: escalation`, container.securityContext['allowPrivilegeEscalation'], false),
            ...same(`${about}: capabilities`, container.securityContext['capabilities'], { drop: ['ALL'] }),
            ...(/cobro-/.test(container.image)
              ? same(`${about}: root`, container.securityContext['readOnlyRootFilesystem'], true)
              : []),
          ]),
        ];
      }),
  },
  {
    sentence: 'a service is reached by those that call it, and only the gateway and the dashboard by others',
    check: (render) => {
      const all = render(twoCores);
      return names.flatMap((name) => {
        const { ingress } = specOf(named(all, 'NetworkPolicy', `shop-cobro-${name}`)) as unknown as {
          ingress: { ports: { port: string }[]; from?: { podSelector: { matchLabels: Record<string, string> } }[] }[];
        };
        const callers = names.filter((caller) => services[caller]?.calls.includes(name)).toSorted();
        const from = ingress.flatMap((rule) => rule.from ?? []);
        const let_in = from.map(({ podSelector }) => podSelector.matchLabels['app.kubernetes.io/component'] ?? '');
        return [
          ...same(`${name} lets in`, let_in.toSorted(), callers),
          ...same(
            `${name} lets everybody in`,
            ingress.some((rule) => rule.from === undefined),
            services[name]?.ports.some((port) => port.host !== undefined),
          ),
          ...same(
            `${name}: ports for everybody`,
            ingress.filter((rule) => rule.from === undefined).flatMap(({ ports }) => ports.map(({ port }) => port)),
            services[name]?.ports.flatMap((port) => (port.host === undefined ? [] : [port.name])),
          ),
        ];
      });
    },
  },
  {
    sentence: 'only services that call the bank get out to it, the comparison with its books, and operators',
    check: (render) => {
      const all = render(production);
      const reaches = (name: string) =>
        JSON.stringify(named(all, 'NetworkPolicy', `shop-cobro-${name}`)).includes('203.0.113.0/24');
      return [
        ...names.flatMap((name) => same(name, reaches(name), services[name]?.stores.includes('bank'))),
        ...['reconciliation', 'operations'].flatMap((job) => same(job, reaches(job), true)),
      ];
    },
  },
  {
    sentence: 'the hook Job uses nothing that the chart makes',
    check: (render) => {
      const all = render(production);
      const job = named(all, 'Job', 'shop-cobro-migration');
      const made = all.filter(({ kind }) => ['Secret', 'ConfigMap', 'ServiceAccount'].includes(kind));
      const used = environmentOf(job).flatMap(({ valueFrom }) => (valueFrom ? [valueFrom.secretKeyRef.name] : []));
      return [
        ...same('hook', job.metadata.annotations?.['helm.sh/hook'], 'pre-install,pre-upgrade'),
        ...made
          .filter(({ metadata }) => used.includes(metadata.name))
          .map(({ metadata }) => `it uses ${metadata.name}`),
      ];
    },
  },
  {
    sentence: 'only the migration and operators’ commands know the addresses of the owners of schemas',
    check: (render) =>
      withPods(render(production)).flatMap((one) => {
        const knows = environmentOf(one).some(({ valueFrom }) => valueFrom?.secretKeyRef.key.endsWith('-owner-url'));
        return same(one.metadata.name, knows, OWNERS.includes(one.metadata.name));
      }),
  },
  {
    sentence: 'each service has a broker user of its own, and only those who know the owners know the administrator',
    check: (render) => {
      const all = [...render(production), ...render({ files: [file('autoscaled.yaml')] })];
      const keyOf = (one: Manifest) =>
        environmentOf(one).find(({ name }) => name === 'AMQP_URL')?.valueFrom?.secretKeyRef.key;
      return [
        ...withPods(all).flatMap((one) => {
          const [, service] = /^shop-cobro-(.+)$/.exec(one.metadata.name) ?? [];
          const own = one.kind === 'Deployment' ? `${service}-url` : undefined;
          return same(one.metadata.name, keyOf(one), OWNERS.includes(one.metadata.name) ? 'admin-url' : own);
        }),
        ...ofKind(all, 'TriggerAuthentication').flatMap((one) => {
          const { secretTargetRef } = specOf(one) as unknown as { secretTargetRef: { key: string }[] };
          const service = one.metadata.name.replace('shop-cobro-', '');
          return same(one.metadata.name, secretTargetRef[0]?.key, `${service}-url`);
        }),
      ];
    },
  },
  {
    sentence:
      'operators’ commands run only where somebody makes a Job, open no card, and are out of the cluster at will',
    check: (render) => {
      const job = named(render(production), 'CronJob', 'shop-cobro-operations');
      const variables = environmentOf(job);
      const keys = variables.filter(({ valueFrom }) => valueFrom?.secretKeyRef.name === 'cobro-keys');
      const optional = variables.filter(({ valueFrom }) => valueFrom?.secretKeyRef.optional);
      const off = render({ ...production, set: { 'operations.enabled': false } });
      return [
        ...same('suspended', specOf(job)['suspend'], true),
        ...same('keys', keys, []),
        ...same(
          'may be missing',
          optional.map(({ name }) => name),
          ['ADMIN_DATABASE_URL'],
        ),
        ...same(
          'broker users',
          names.filter((name) => !variables.some((one) => one.name === `${name.toUpperCase()}_AMQP_URL`)),
          [],
        ),
        ...off.filter(({ metadata }) => metadata.name === 'shop-cobro-operations').map(({ kind }) => `${kind} stays`),
      ];
    },
  },
  {
    sentence: 'the certificates of all four authorities are mounted into every pod',
    check: (render) =>
      withPods(render(production)).flatMap((one) => {
        const sources = podOf(one).volumes?.find(({ name }) => name === 'authorities')?.projected?.sources.length;
        return [
          ...same(`${one.metadata.name}: sources`, sources, 4),
          ...same(`${one.metadata.name}: folder`, variable(one, 'TRUSTED_AUTHORITIES'), '/authorities'),
        ];
      }),
  },
];

export const rulesOfSafety: ChartRule[] = [...structure, ...safety];
