import type { Manifest } from './check-manifest.ts';
import { rulesOfAcquirers } from './rules-of-acquirers.ts';
import { rulesOfExamples } from './rules-of-examples.ts';
import { rulesOfPlatforms } from './rules-of-platforms.ts';
import { rulesOfSafety } from './rules-of-safety.ts';
import { rulesOfTls } from './rules-of-tls.ts';
import {
  type ChartRule,
  environmentOf,
  file,
  named,
  names,
  ofKind,
  production,
  refused,
  type Render,
  same,
  services,
  specOf,
  twoCores,
  variable,
} from './rendered.ts';

const operation: ChartRule[] = [
  {
    sentence: 'alerts and panels look at the series and objects of this release only, and alerts lead to their pages',
    check: (render) => {
      const all = render(production);
      const rule = JSON.stringify(specOf(named(all, 'PrometheusRule', 'shop-cobro')));
      const board = JSON.stringify(named(all, 'ConfigMap', 'shop-cobro-dashboard')['data']);
      return [
        ...[rule, board].flatMap((text) => same('any namespace', /namespace=~|=~\\+"cobro-/.test(text), false)),
        ...same('namespace', rule.includes('cobro_degraded{namespace=\\"pay\\"'), true),
        ...same('Deployments', rule.includes('deployment=~\\"shop-cobro-.*\\"'), true),
        ...same('pages', rule.includes('"https://git.example.com/cobro/docs/runbooks/parked-events.md"'), true),
        ...same('panels', board.includes('deployment=~'), true),
      ];
    },
  },
  {
    sentence: 'a selector of our own series is not asked of those that Kubernetes exports',
    check: (render) => {
      const all = render({ ...production, set: { 'monitoring.selector': 'ns="pay"' } });
      const objects = [named(all, 'PrometheusRule', 'shop-cobro'), named(all, 'ConfigMap', 'shop-cobro-dashboard')];
      return objects.flatMap((one) => {
        const series = [
          ...JSON.stringify(one)
            .replaceAll('\\', '')
            .matchAll(/([a-z]+)_[a-z_]+\{(\w+)="pay"/g),
        ];
        const labels = (kubernetes: boolean) =>
          series.filter(([, of = '']) => ['kube', 'container'].includes(of) === kubernetes).map(([, , label]) => label);
        return [
          ...same('ours', [...new Set(labels(false))], ['ns']),
          ...same('Kubernetes’', [...new Set(labels(true))], ['namespace']),
        ];
      });
    },
  },
  {
    sentence: 'metrics are counted only where somebody takes them, and their port is open to those alone',
    check: (render) => {
      const exporter = (of: Manifest) => variable(of, 'OTEL_METRICS_EXPORTER');
      const [on, off] = [render(production), render(twoCores)];
      const policy = JSON.stringify(specOf(named(on, 'NetworkPolicy', 'shop-cobro-holds'))['ingress']);
      return [
        ...names.flatMap((name) => same(name, exporter(named(on, 'Deployment', `shop-cobro-${name}`)), 'prometheus')),
        ...names.flatMap((name) => same(name, exporter(named(off, 'Deployment', `shop-cobro-${name}`)), undefined)),
        ...same('port', policy.includes('[{"port":"metrics"}]') && policy.includes('observability'), true),
      ];
    },
  },
  {
    sentence: 'a Deployment says its number of pods only where no autoscaler does',
    check: (render) => [
      ...ofKind(render(twoCores), 'Deployment').flatMap((one) => same(one.metadata.name, specOf(one)['replicas'], 2)),
      ...ofKind(render(production), 'Deployment').flatMap((one) =>
        same(one.metadata.name, specOf(one)['replicas'], undefined),
      ),
    ],
  },
  {
    sentence: 'a service of its own numbers wins over the defaults, also with 0 and with nothing',
    check: (render) => {
      const all = render({ files: [file('gateway-api.yaml')] });
      const gateway = specOf(named(all, 'Deployment', 'shop-cobro-gateway'));
      const template = gateway['template'] as unknown as { spec: object };
      return [
        ...same('replicas', gateway['replicas'], 0),
        ...same('spread', 'topologySpreadConstraints' in template.spec, false),
      ];
    },
  },
  {
    sentence: 'one pod alone has no disruption budget, which would hold up a drain for ever',
    check: (render) =>
      same('budgets', ofKind(render({ files: [file('gateway-api.yaml')] }), 'PodDisruptionBudget').length, 0),
  },
  {
    sentence: 'KEDA scales those that have a queue, and the plain autoscaler the others',
    check: (render) => {
      const all = render({ files: [file('autoscaled.yaml')] });
      const withQueue = names.filter((name) => services[name]?.queue !== undefined).map((name) => `shop-cobro-${name}`);
      const found = (kind: string) =>
        ofKind(all, kind)
          .map(({ metadata }) => metadata.name)
          .toSorted();
      return [
        ...same('ScaledObjects', found('ScaledObject'), withQueue.toSorted()),
        ...same('autoscalers', found('HorizontalPodAutoscaler').length, names.length - withQueue.length),
        ...same('Jobs', found('Job'), []),
      ];
    },
  },
  {
    sentence: 'KEDA takes over the plain autoscaler of a service that ran before it',
    check: (render) => {
      const plain = render({ files: [file('autoscaled.yaml')], set: { 'defaults.autoscaling.keda': false } });
      return ofKind(render({ files: [file('autoscaled.yaml')] }), 'ScaledObject').flatMap((one) => {
        const { advanced } = specOf(one) as unknown as {
          advanced: { horizontalPodAutoscalerConfig: { name: string } };
        };
        const { name } = advanced.horizontalPodAutoscalerConfig;
        return [
          ...same('leave', one.metadata.annotations, { 'scaledobject.keda.sh/transfer-hpa-ownership': 'true' }),
          ...same('the one before', named(plain, 'HorizontalPodAutoscaler', name).metadata.name, name),
        ];
      });
    },
  },
  {
    sentence: 'without a host the dashboard is not deployed, and the migration is not asked for its schema',
    check: (render) => {
      const all = render({ ...twoCores, set: { 'hosts.dashboard': '' } });
      return same(
        'named',
        JSON.stringify(all).includes('-dashboard') || JSON.stringify(all).includes('DASHBOARD_'),
        false,
      );
    },
  },
  {
    sentence: 'the books are compared once a day in Mexico City, unless that is switched off',
    check: (render) => {
      const job = named(render(production), 'CronJob', 'shop-cobro-reconciliation');
      const off = render({ ...twoCores, set: { 'reconciliation.enabled': false } });
      return [
        ...same('zone', specOf(job)['timeZone'], 'America/Mexico_City'),
        ...same('bank', variable(job, 'BANK_URL'), 'https://bank.example.com'),
        ...same('mode', variable(job, 'KEY_MODE'), 'live'),
        ...same('others', variable(job, 'ACQUIRERS'), undefined),
        ...same(
          'switched off',
          ofKind(off, 'CronJob').map(({ metadata }) => metadata.name),
          ['shop-cobro-reseal', 'shop-cobro-operations'],
        ),
      ];
    },
  },
  {
    sentence: 'cards are sealed anew only when somebody makes a Job of it, and with the key that payments has',
    check: (render) => {
      const all = render(production);
      const job = named(all, 'CronJob', 'shop-cobro-reseal');
      const key = (of: Manifest) => environmentOf(of).find(({ name }) => name === 'VAULT_KEY')?.valueFrom;
      return [
        ...same('suspended', specOf(job)['suspend'], true),
        ...same('key', key(job), key(named(all, 'Deployment', 'shop-cobro-payments'))),
      ];
    },
  },
  {
    sentence: 'the heap is bounded by three quarters of the memory',
    check: (render) => {
      const all = render({ ...twoCores, set: { 'services.payments.resources.limits.memory': '1Gi' } });
      const heap = (name: string) => variable(named(all, 'Deployment', `shop-cobro-${name}`), 'NODE_OPTIONS');
      return [
        ...same('payments', heap('payments'), '--max-old-space-size=768'),
        ...same('holds', heap('holds'), '--max-old-space-size=240'),
      ];
    },
  },
  {
    sentence: 'another revision of the Secrets replaces every pod',
    check: (render) => {
      const templates = (revision: string) =>
        ofKind(render({ ...twoCores, set: { secretsRevision: revision } }), 'Deployment').map((one) =>
          JSON.stringify(specOf(one)['template']),
        );
      const before = templates('1');
      return templates('2')
        .filter((template, i) => template === before[i])
        .map(() => 'a template is the same');
    },
  },
];

const trial: ChartRule[] = [
  {
    sentence: 'annotations of a service are at its Service and at no other',
    check: (render) => {
      const annotated = ofKind(render(twoCores), 'Service').filter(
        ({ metadata }) => metadata.annotations !== undefined,
      );
      return same(
        'annotated',
        annotated.map(({ metadata }) => metadata.name),
        ['shop-cobro-gateway'],
      );
    },
  },
  {
    sentence: '`helm test` has a pod to run where there are merchants to test with',
    check: (render) => {
      const hooks = (of: Manifest[]) => ofKind(of, 'Pod').map(({ metadata }) => metadata.annotations?.['helm.sh/hook']);
      return [
        ...same('two cores', hooks(render(twoCores)), ['test']),
        ...same('production', hooks(render(production)), []),
        ...same('neither', hooks(render({ ...twoCores, set: { 'test.makeMerchant': false } })), []),
      ];
    },
  },
];

/** Live keys, and nothing wrong. */
const live = {
  keyMode: 'live',
  'test.makeMerchant': false,
  'bank.url': 'https://bank.example.com',
  checkoutBaseUrl: 'https://pay.example.com',
};

const mistakes: [what: string, set: Record<string, unknown>, words: string][] = [
  ['a typo at the top', { replcas: 2 }, 'replcas'],
  ['a typo in a service', { 'services.payments.replcas': 2 }, 'replcas'],
  ['a service that there is not', { 'services.payment.replicas': 2 }, 'payment'],
  ['a variable that the service does not take', { 'services.reporting.env.BANK_CALLS': 1 }, 'BANK_CALLS'],
  ['a variable that the chart sets itself', { 'services.payments.env.DATABASE_URL': 'postgres://x' }, 'DATABASE_URL'],
  ['no Secret of Postgres', { 'postgres.existingSecret': '' }, 'postgres.existingSecret is needed'],
  ['no address of the bank', { 'bank.url': '' }, 'set bank.url'],
  ['both kinds of routes', { 'gatewayApi.enabled': true }, 'choose one'],
  ['an Ingress without hosts', { 'hosts.partner': '' }, 'hosts.main and hosts.partner'],
  ['a test where live keys are taken', { ...live, 'test.makeMerchant': true }, 'keyMode live takes no test'],
  ['a PodMonitor of nothing', { 'monitoring.podMonitor': true }, 'set monitoring.exporter'],
  ['a live bank by http', { ...live, 'bank.url': 'http://bank.example.com' }, 'bank.url has to be https'],
  ['a live checkout by http', { ...live, checkoutBaseUrl: 'http://pay.example.com' }, 'CHECKOUT_BASE_URL of payments'],
  [
    'a live bank by http for one service',
    { ...live, 'services.holds.env.BANK_URL': 'http://bank' },
    'BANK_URL of holds',
  ],
  ['a clock for all that can be moved, with live keys', { ...live, 'env.CLOCK_URL': 'https://clock' }, 'CLOCK_URL'],
  ['one for one service', { ...live, 'services.reporting.env.CLOCK_URL': 'https://clock' }, 'CLOCK_URL'],
  ['another mode for one service', { ...live, 'services.payments.env.KEY_MODE': 'test' }, 'env.KEY_MODE'],
  ['metrics by OTLP to nowhere', { 'monitoring.exporter': 'otlp' }, 'set telemetry.endpoint'],
  ['memory without a unit', { 'defaults.resources.limits.memory': '300' }, 'memory'],
];

const refusals: ChartRule[] = [
  ...mistakes.map(([what, set, words]) => ({
    sentence: `${what} is refused, and the words say what`,
    check: (render: Render) => refused(render, { ...twoCores, set }, words),
  })),
  {
    sentence: 'with live keys an address that never leaves the pod may be http, as a proxy beside the process has it',
    check: (render) => {
      const proxied = { ...live, 'bank.url': 'http://127.0.0.1:8443' };
      const payments = named(render({ ...twoCores, set: proxied }), 'Deployment', 'shop-cobro-payments');
      return [
        ...same('bank', variable(payments, 'BANK_URL'), 'http://127.0.0.1:8443'),
        ...same('mode', variable(payments, 'KEY_MODE'), 'live'),
      ];
    },
  },
  {
    sentence: 'values of `global`, which other charts share, are taken',
    check: (render) => (render({ ...twoCores, set: { 'global.anything': 1 } }).length > 0 ? [] : ['nothing']),
  },
];

export const chartRules: ChartRule[] = [
  ...rulesOfSafety,
  ...rulesOfPlatforms,
  ...rulesOfExamples,
  ...rulesOfTls,
  ...rulesOfAcquirers,
  ...operation,
  ...trial,
  ...refusals,
];
