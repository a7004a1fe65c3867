import path from 'node:path';
import { dayInMexicoCity } from '@cobro/domain/mexico-city.ts';
import { untilAgreed } from '@cobro/testing/agreement.ts';
import { parseAllDocuments } from 'yaml';
import { booksOf } from '../../bench/open-books.ts';
import { chartFolder, devChartFolder } from '../../deploy/helm-tests/chart.ts';
import type { Manifest } from '../../deploy/helm-tests/check-manifest.ts';
import type { PodSpec } from '../../deploy/helm-tests/rendered.ts';
import type { Merchants } from '../../ops/image/first-merchant.ts';
import { RELEASE, type Namespace, run } from './cluster.ts';

export interface Options {
  helm: string;
  /** Tag of the images, which the cluster has. */
  tag: string;
  /** The release that is installed first, then upgraded: its images' tag and its chart's folder. */
  before: { tag: string; chart: string };
  /** More values files for the cobro-dev chart, for example with other images of the servers. */
  devValues: string[];
  /** More values files for the cobro chart. */
  values: string[];
}

type Values = Record<string, unknown>;

export type Installation = Awaited<ReturnType<typeof install>>;

/**
 * Installs both charts in one namespace: the services, with their own servers and bank.
 * @param set values for every upgrade, as after `--set-json`
 * @param stripeKey an account's secret key, if the Stripe adapter is to run
 */
export async function install(namespace: Namespace, options: Options, set: Values = {}, stripeKey?: string) {
  const { helm, tag, before } = options;
  const chartOf = (folder: string, images: string) => {
    const files = [path.join(folder, 'ci/two-cores.yaml'), ...options.values].flatMap(valuesFile);
    return [folder, '--namespace', namespace.name, ...files, ...setJson(set), ...imageTag(images)];
  };
  const secrets = await printSecrets(stripeKey === undefined ? [] : ['--stripe']);
  await namespace.apply(secrets);
  if (stripeKey !== undefined) {
    const patch = JSON.stringify({ stringData: { 'secret-key': stripeKey } });
    await namespace.kubectl('patch', 'secret', 'cobro-stripe', '--type=merge', '--patch', patch);
  }
  await installServers(namespace, options);
  const [earlier, chart] = [chartOf(before.chart, before.tag), chartOf(chartFolder, tag)];
  const waiting = ['--wait', '--timeout', '15m'];
  await run(helm, ['install', RELEASE, ...earlier, ...waiting]);
  let { pod, reconciliation } = await podsOf(helm, earlier);
  return {
    /** An image with Node that the cluster has. */
    image: `cobro-operations:${tag}`,
    /** Upgrades with more values, as after `--set-json`. @throws if helm fails */
    upgrade: async (more: Values = {}) => {
      await run(helm, ['upgrade', RELEASE, ...chart, ...setJson(more), ...waiting]);
      ({ pod, reconciliation } = await podsOf(helm, chart));
    },
    /** Back to the revision before. @throws if helm fails */
    rollback: async () => void (await run(helm, ['rollback', RELEASE, '--namespace', namespace.name, ...waiting])),
    test: async () => void (await run(helm, ['test', RELEASE, '--namespace', namespace.name, '--timeout', '5m'])),
    /** Runs a command of the operations image beside the services, and reads the JSON that it prints last. */
    operate: (...args: string[]) => operate(namespace, pod, args),
    makeMerchants: async () => (await operate(namespace, pod, ['first-merchant'])) as unknown as Merchants,
    /** Compares the bank's books of today with ours, with the CronJob's pod. @throws if they differ */
    reconcile: async () => {
      const args = ['admin', 'reconcile', '--date', dayInMexicoCity(new Date())];
      await namespace.runPod('reconcile', changed(reconciliation, { args }));
    },
    /** Waits until the bank and all services agree. @throws if they do not */
    agreed: () => agreed(namespace, secrets),
    uninstall: async () => {
      for (const release of [RELEASE, DEV_RELEASE]) {
        await run(helm, ['uninstall', release, '--namespace', namespace.name, '--wait', '--timeout', '3m']);
      }
    },
    /** Runs JavaScript in a pod of the operations image that Pod Security restricted allows. @throws if it does not exit with 0 */
    runScript: (name: string, script: string, labels: Record<string, string>) =>
      namespace.runPod(name, changed({ ...pod, labels }, { command: ['node', '-e', script], args: [], env: [] })),
  };
}

/** Name of the release of the servers and of the bank. */
export const DEV_RELEASE = 'cobro-dev';
const imageTag = (tag: string) => ['--set', `image.tag=${tag}`];
const valuesFile = (file: string) => ['--values', file];
const setJson = (set: Values) =>
  Object.entries(set).flatMap(([name, value]) => ['--set-json', `${name}=${JSON.stringify(value)}`]);

async function installServers(namespace: Namespace, { helm, tag, devValues }: Options): Promise<void> {
  const images = ['bank', 'operations'].flatMap((image) => ['--set', `images.${image}=cobro-${image}:${tag}`]);
  const args = ['install', DEV_RELEASE, devChartFolder, '--namespace', namespace.name, ...images];
  await run(helm, [...args, ...devValues.flatMap(valuesFile), '--wait', '--wait-for-jobs', '--timeout', '15m']);
}

/** A pod beside the services. Network policies allow it what its labels say. */
interface PodOf {
  labels: Record<string, string>;
  spec: PodSpec;
}

/** The pods of the chart's test and of its reconciliation. */
async function podsOf(helm: string, chart: string[]): Promise<{ pod: PodOf; reconciliation: PodOf }> {
  const text = await run(helm, ['template', RELEASE, ...chart]);
  const all = parseAllDocuments(text).map((document) => document.toJS() as Manifest | null);
  const test = all.find((one) => one?.kind === 'Pod');
  const job = all.find((one) => one?.metadata.name.endsWith('-reconciliation') && one.kind === 'CronJob');
  if (!test || !job) throw new Error('the chart has no test or no reconciliation');
  const { jobTemplate } = job['spec'] as { jobTemplate: { spec: { template: PodManifest } } };
  return { pod: podOf(test as unknown as PodManifest), reconciliation: podOf(jobTemplate.spec.template) };
}

interface PodManifest {
  metadata: { labels?: Record<string, string> };
  spec: PodSpec;
}

const podOf = ({ metadata, spec }: PodManifest): PodOf => ({ labels: metadata.labels ?? {}, spec });
const changed = ({ labels, spec }: PodOf, change: object) => ({
  labels,
  spec: { ...spec, containers: [{ ...spec.containers[0], ...change }] },
});

/** Release 0.1.0's commands do not wait until the network lets their new pod reach the database, so they are retried, each in a new pod. */
async function operate(
  namespace: Namespace,
  pod: PodOf,
  args: string[],
  attempts = 6,
): Promise<Record<string, string>> {
  const once = namespace.runPod(args.slice(0, 3).join('-'), changed(pod, { args }));
  const log = await once.catch((error: unknown) => String(error));
  if (attempts > 1 && log.includes('ECONNREFUSED')) return operate(namespace, pod, args, attempts - 1);
  await once;
  return JSON.parse(log.trim().split('\n').at(-1) ?? '') as Record<string, string>;
}

const printSecrets = (more: string[]) =>
  run(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    path.join(import.meta.dirname, '../../ops/image/main.ts'),
    'secrets',
    '--trial',
    `--postgres=${DEV_RELEASE}-postgres:5432/cobro`,
    `--rabbitmq=${DEV_RELEASE}-rabbitmq:5672`,
    `--redis=${DEV_RELEASE}-redis:6379`,
    ...more,
  ]);

interface Secret {
  metadata: { name: string };
  stringData: Record<string, string>;
}

async function agreed(namespace: Namespace, secrets: string): Promise<void> {
  const data = parseAllDocuments(secrets).map((document) => document.toJS() as Secret);
  const password = data.find(({ metadata }) => metadata.name.endsWith('-postgres-admin'))?.stringData['password'];
  const [postgres, bank] = await Promise.all([
    namespace.forward(`statefulset/${DEV_RELEASE}-postgres`, 5432),
    namespace.forward(`statefulset/${DEV_RELEASE}-bank`, 8080),
  ]);
  const databaseUrl = `postgres://postgres:${password}@${postgres.address}/cobro`;
  const books = booksOf({ databaseUrl, bankUrl: `http://${bank.address}`, otherBanks: {} });
  try {
    await untilAgreed(books.open(), 120_000);
  } finally {
    await books.close();
    postgres.close();
    bank.close();
  }
}
