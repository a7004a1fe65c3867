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
  refused,
  type Render,
  same,
  services,
  specOf,
  twoCores,
  withPods,
} from './rendered.ts';

const hook = (one: Manifest) => one.metadata.annotations?.['helm.sh/hook'];
const ours = (render: Render, set: Record<string, unknown>) => withPods(render({ ...twoCores, set }));
const migrationName = (render: Render, set: Record<string, unknown>) =>
  ofKind(render({ files: [file('gateway-api.yaml')], set }), 'Job')[0]?.metadata.name;

const firstInstall: ChartRule[] = [
  {
    sentence: 'the policy that lets the migration out is there before its Job, and before the release',
    check: (render) => {
      const policy = named(render(production), 'NetworkPolicy', 'shop-cobro-migration');
      const inRelease = render({ ...production, set: { 'migration.mode': 'job' } });
      return [
        ...same('hook', hook(policy), 'pre-install,pre-upgrade'),
        ...same('weight', policy.metadata.annotations?.['helm.sh/hook-weight'], '-5'),
        ...same('as a part', hook(named(inRelease, 'NetworkPolicy', 'shop-cobro-migration')), undefined),
      ];
    },
  },
  {
    sentence: 'a Job of the release that comes in an earlier wave has its policy in that wave',
    check: (render) => {
      const set = { 'migration.mode': 'job', 'migration.annotations': { 'argocd.argoproj.io/sync-wave': '-1' } };
      const all = render({ ...production, set });
      return [named(all, 'NetworkPolicy', 'shop-cobro-migration'), ...ofKind(all, 'Job')].flatMap(({ metadata }) =>
        same(metadata.name, metadata.annotations?.['argocd.argoproj.io/sync-wave'], '-1'),
      );
    },
  },
  {
    sentence: 'the servers of a trial are under a policy too, so that they work where a namespace denies by default',
    check: (render) => {
      const all = render({ chart: devChartFolder });
      const [policy] = ofKind(all, 'NetworkPolicy').map(specOf) as unknown as {
        podSelector: { matchLabels: Record<string, string> };
      }[];
      const chosen = Object.entries(policy?.podSelector.matchLabels ?? { none: '' });
      return withPods(all).flatMap((one) => {
        const { template } = specOf(one) as unknown as { template: Manifest };
        const isChosen = chosen.every(([label, value]) => template.metadata.labels?.[label] === value);
        return isChosen ? [] : [`${one.metadata.name} is under none`];
      });
    },
  },
  {
    sentence: 'a Job of the release gets another name with anything that its pod has, and with nothing else',
    check: (render) => {
      const plain = migrationName(render, {});
      const other = {
        'image.tag': '2',
        'migration.resources.limits.memory': '512Mi',
        'telemetry.endpoint': 'http://collector:4318',
        'defaults.nodeSelector.pool': 'pci',
        secretsRevision: '3',
      };
      return [
        ...Object.entries(other).flatMap(([name, value]) =>
          migrationName(render, { [name]: value }) === plain ? [`${name} changes no name`] : [],
        ),
        ...same('backoffLimit', migrationName(render, { 'migration.backoffLimit': 7 }), plain),
      ];
    },
  },
  {
    sentence: 'names and labels are such that Kubernetes takes them, however long the release is called',
    check: (render) => {
      const all = render({ ...twoCores, set: { fullnameOverride: 'a'.repeat(63) } });
      return ofKind(all, 'CronJob').flatMap(({ metadata: { name } }) =>
        name.length > 52 ? [`${name} is too long`] : [],
      );
    },
  },
];

const placement: ChartRule[] = [
  {
    sentence: 'every pod, also of Jobs, runs where the defaults say, with their labels and annotations',
    check: (render) =>
      ours(render, {
        'defaults.nodeSelector.pool': 'pci',
        'defaults.priorityClassName': 'money',
        'defaults.podLabels.team': 'pay',
        'defaults.podAnnotations.inject': 'false',
      }).flatMap((one) => {
        const pod = podOf(one) as unknown as Record<string, unknown>;
        const about = one.metadata.name;
        return [
          ...same(`${about}: nodes`, pod['nodeSelector'], { pool: 'pci' }),
          ...same(`${about}: priority`, pod['priorityClassName'], 'money'),
          ...same(`${about}: label`, JSON.stringify(one).includes('"team":"pay"'), true),
          ...same(`${about}: annotation`, JSON.stringify(one).includes('"inject":"false"'), true),
        ];
      }),
  },
  {
    sentence: 'a Job runs elsewhere where `jobs` says so',
    check: (render) => {
      const all = render({
        ...twoCores,
        set: { 'defaults.priorityClassName': 'money', 'jobs.reconciliation.priorityClassName': 'batch' },
      });
      const priority = (of: Manifest) => (podOf(of) as unknown as Record<string, unknown>)['priorityClassName'];
      return [
        ...same('reconciliation', priority(named(all, 'CronJob', 'shop-cobro-reconciliation')), 'batch'),
        ...same('reseal', priority(named(all, 'CronJob', 'shop-cobro-reseal')), 'money'),
      ];
    },
  },
  {
    sentence: 'each service may have an account of its own, and a hook never needs one that the chart makes',
    check: (render) => {
      const all = render({ ...twoCores, set: { 'serviceAccounts.create': true } });
      const account = (of: Manifest) => (podOf(of) as unknown as Record<string, unknown>)['serviceAccountName'];
      return [
        ...same('accounts', ofKind(all, 'ServiceAccount').length, names.length),
        ...names.flatMap((name) =>
          same(name, account(named(all, 'Deployment', `shop-cobro-${name}`)), `shop-cobro-${name}`),
        ),
        ...same('migration', account(named(all, 'Job', 'shop-cobro-migration')), undefined),
      ];
    },
  },
];

const additions: ChartRule[] = [
  {
    sentence: 'every policy has the rules that the values add, as a mesh needs them',
    check: (render) => {
      const rule = [{ ports: [{ port: 15008 }] }];
      const all = render({
        ...twoCores,
        set: { 'networkPolicy.extraIngress': rule, 'networkPolicy.extraEgress': rule },
      });
      return ofKind(all, 'NetworkPolicy').flatMap((one) =>
        ['ingress', 'egress'].flatMap((way) =>
          JSON.stringify(specOf(one)[way]).includes('15008') ? [] : [`${one.metadata.name} lacks it: ${way}`],
        ),
      );
    },
  },
  {
    sentence: 'every process has the variables of extraEnv, also from a Secret, and none of them can be ours',
    check: (render) => {
      const headers = { secretKeyRef: { key: 'headers', name: 'otlp' } };
      const all = ours(render, {
        'extraEnv.OTEL_TRACES_SAMPLER': 'parentbased_traceidratio',
        'extraEnv.OTEL_EXPORTER_OTLP_HEADERS': headers,
      });
      return [
        ...all.flatMap((one) =>
          same(
            one.metadata.name,
            environmentOf(one).find(({ name }) => name === 'OTEL_EXPORTER_OTLP_HEADERS')?.valueFrom,
            headers,
          ),
        ),
        ...['BANK_URL', 'VAULT_KEY', 'NODE_OPTIONS', 'PAYMENTS_OWNER_URL'].flatMap((name) =>
          refused(render, { ...twoCores, set: { [`extraEnv.${name}`]: 'x' } }, `extraEnv.${name}`),
        ),
      ];
    },
  },
  {
    sentence: 'whoever calls the bank has the proxy and the token of the values, and nobody else',
    check: (render) => {
      const set = { 'bank.proxy.existingSecret': 'proxy', 'bank.token.existingSecret': 'token' };
      const callers = names
        .filter((name) => services[name]?.stores.includes('bank'))
        .map((name) => `shop-cobro-${name}`);
      const right = [...callers, 'shop-cobro-operations', 'shop-cobro-reconciliation'].toSorted();
      return ['HTTPS_PROXY', 'BANK_TOKEN'].flatMap((variable) => {
        const knowing = ours(render, set).filter((one) => environmentOf(one).some(({ name }) => name === variable));
        return same(variable, knowing.map(({ metadata }) => metadata.name).toSorted(), right);
      });
    },
  },
  {
    sentence: 'certificates of authorities come from a ConfigMap too',
    check: (render) => {
      const set = { 'postgres.authority.existingConfigMap': 'bundle' };
      return ours(render, set).flatMap((one) =>
        same(one.metadata.name, JSON.stringify(podOf(one).volumes).includes('{"configMap":{"name":"bundle"'), true),
      );
    },
  },
  {
    sentence: 'the Prometheus operator finds the port of the metrics by a PodMonitor, and no other port is scraped',
    check: (render) => {
      const all = render({ ...production, set: { 'monitoring.podMonitor': true } });
      return [
        ...same('monitors', ofKind(all, 'PodMonitor').length, 1),
        ...same('annotations', JSON.stringify(ofKind(all, 'Deployment')).includes('prometheus.io/scrape'), false),
      ];
    },
  },
  {
    sentence: 'KEDA believes the authority of RabbitMQ',
    check: (render) => {
      const set = { 'rabbitmq.authority.existingSecret': 'mq-ca' };
      const all = render({ files: [file('autoscaled.yaml')], set });
      return ofKind(all, 'TriggerAuthentication').flatMap((one) => {
        const { secretTargetRef, configMapTargetRef } = specOf(one) as unknown as Record<
          string,
          { parameter: string }[]
        >;
        return [
          ...same('ca', secretTargetRef?.at(-1), { parameter: 'ca', name: 'mq-ca', key: 'ca.crt' }),
          ...same('tls', configMapTargetRef?.[0]?.parameter, 'tls'),
        ];
      });
    },
  },
  {
    sentence: 'a cluster may choose the user of each process itself',
    check: (render) =>
      ours(render, { 'pod.user': null }).flatMap((one) =>
        same(one.metadata.name, JSON.stringify(podOf(one).securityContext).includes('runAsUser'), false),
      ),
  },
  {
    sentence: 'the gateway alone may be a Service of another type, and DNS may listen elsewhere',
    check: (render) => {
      const set = { 'services.gateway.serviceType': 'NodePort', 'networkPolicy.dnsPort': 5353 };
      const all = render({ ...twoCores, set });
      const others = ofKind(all, 'Service').filter((one) => String(specOf(one)['type']) !== 'ClusterIP');
      return [
        ...same(
          'Services',
          others.map(({ metadata }) => metadata.name),
          ['shop-cobro-gateway'],
        ),
        ...ofKind(all, 'NetworkPolicy').flatMap((one) =>
          same(one.metadata.name, JSON.stringify(specOf(one)['egress']).includes('5353'), true),
        ),
      ];
    },
  },
  {
    sentence: 'a Gateway waits longer than our slowest route takes',
    check: (render) =>
      ofKind(render({ files: [file('gateway-api.yaml')] }), 'HTTPRoute').flatMap((one) => {
        const [rule] = specOf(one)['rules'] as unknown as { timeouts?: object }[];
        return same(one.metadata.name, rule?.timeouts, { request: '40s' });
      }),
  },
  {
    sentence: 'a label that the values set is written once',
    check: (render) => {
      const all = render({ ...production, set: { 'monitoring.labels.grafana_dashboard': 'pay' } });
      return same(
        'label',
        named(all, 'ConfigMap', 'shop-cobro-dashboard').metadata.labels?.['grafana_dashboard'],
        'pay',
      );
    },
  },
];

export const rulesOfPlatforms: ChartRule[] = [...firstInstall, ...placement, ...additions];
