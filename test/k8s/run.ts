/**
 * `npm run e2e:k8s -- --tag TAG [--before TAG [--before-chart FOLDER]] [--url http://10.88.0.1] [--dev-values FILE]… [--values FILE]…
 * [--helm helm] [--only kills,growth] [--wire] [--here ADDRESS] [--keep]`: installs the charts on kubectl's cluster, in new namespaces,
 * and sends requests through the Ingress at `--url`. Ends with the first step that fails; `--keep` keeps the namespaces. docs/deploy.md
 * says what the cluster needs. `--before` upgrades from an earlier release; `--dev-values` names other images of the servers, `--values`
 * other values; `--only` does some steps; `--wire` listens between the pods by tcpdump, if this machine is the only node; `--here` (this
 * machine's address, as pods reach it) tries webhooks through a proxy and Stripe's adapter at localstripe.
 */
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { until } from '@cobro/testing/until.ts';
import { stackFolder } from '../../dev/stack/run-record.ts';
import { chartFolder } from '../../deploy/helm-tests/chart.ts';
import { getHelm } from '../../deploy/helm-tests/get-helm.ts';
import {
  type Disturbed,
  deletions,
  evictions,
  failingMigration,
  growth,
  kills,
  serverRestarts,
  upgradeAndRollback,
} from './disturbances.ts';
import { makeNamespace, type Namespace, OF_THE_TEST, run } from './cluster.ts';
import { keepLogs } from './kept-logs.ts';
import { type Installation, install, type Options } from './installation.ts';
import { operatorsCommands } from './operators-commands.ts';
import { alwaysByTls, ownTls, tlsAuthority, tlsFromTheStart, writeCertificate } from './own-tls.ts';
import { type Door, merchantAt, strangerAt } from './send.ts';
import { stories, type Terminal } from './stories.ts';
import { stripeRelease } from './stripe.ts';
import { deniedTraffic } from './traffic.ts';
import { webhooksThroughProxy } from './webhooks.ts';

const several = { type: 'string', multiple: true, default: [] as string[] } as const;
const { values: given } = parseArgs({
  options: {
    tag: { type: 'string', default: 'dev' },
    before: { type: 'string' },
    'before-chart': { type: 'string' },
    url: { type: 'string', default: 'http://10.88.0.1' },
    helm: { type: 'string' },
    only: { type: 'string' },
    keep: { type: 'boolean', default: false },
    wire: { type: 'boolean', default: false },
    here: { type: 'string' },
    'dev-values': several,
    values: several,
  },
});
const [newest] = getHelm();
const options: Options = {
  helm: given.helm ?? newest?.program ?? 'helm',
  tag: given.tag,
  before: { tag: given.before ?? given.tag, chart: given['before-chart'] ?? chartFolder },
  devValues: given['dev-values'],
  values: given.values,
};
const newestOnly = { ...options, before: { tag: options.tag, chart: chartFolder } };
const door: Door = { url: given.url, main: 'cobro.test', partner: 'partner.cobro.test' };
const second: Door = { url: given.url, main: 'second.test', partner: 'partner.second.test' };

const mainName = `cobro-e2e-${Date.now().toString(36)}`;
const folder = join(stackFolder, 'k8s', mainName);
mkdirSync(folder, { recursive: true });

const started = performance.now();
let begun = started;
const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1).padStart(7)} s`;
function report(sentence: string): void {
  const line = `${seconds(begun)}  ${sentence}`;
  console.log(line);
  appendFileSync(join(folder, 'report.txt'), `${new Date().toISOString()} ${line}\n`);
  begun = performance.now();
}

const passes = (installed: Installation) =>
  installed.test().then(
    () => true,
    () => false,
  );

async function makeDisturbed(
  namespace: Namespace,
  killers: Namespace,
  { at, of, set = {} }: { at: Door; of: Options; set?: Record<string, unknown> },
): Promise<Disturbed> {
  const installed = await install(namespace, of, set);
  report('both charts installed, under Pod Security restricted, where no policy means no traffic');
  if (of.before.tag === of.tag) await installed.test();
  // Release 0.1.0's test does not wait until its new pod may reach the database.
  else await until('the earlier release passes its test', () => passes(installed));
  report('helm test: a hold and a capture');
  const merchants = await installed.makeMerchants();
  const serial = 'SN-0001';
  const args = ['--organization', merchants.organizationId, '--serial', serial, '--json'];
  const { key = '' } = await installed.operate('admin', 'terminals', 'create', ...args);
  const terminal: Terminal = { serial, key };
  await stories(at, merchants, terminal);
  report(
    'through the Ingress: charge, repeat, decline, refund, hold, capture, release, a link paid on its page, a tap, every read',
  );
  const merchant = merchantAt(at, merchants.apiKey);
  const readsEvents = readFileSync(join(of.before.chart, 'files/services.json'), 'utf8').includes('"webhooks"');
  const scene = { folder, namespace, merchant, stranger: strangerAt(at), terminal, readsEvents };
  return { scene, installed, killers, report };
}

/** A release installed with required TLS between its processes. */
async function releaseByTls(name: string, killers: Namespace): Promise<void> {
  const namespace = await makeNamespace(name, 'restricted');
  const authority = tlsAuthority();
  try {
    await writeCertificate(namespace, authority, [authority]);
    const set = { hosts: { main: second.main, partner: second.partner }, ...tlsFromTheStart };
    const disturbed = await makeDisturbed(namespace, killers, { at: second, of: newestOnly, set });
    await alwaysByTls(disturbed, authority, given.wire ? given.url : undefined);
    await agreed(disturbed);
  } finally {
    await namespace.remove();
    authority.remove();
  }
}

async function agreed({ installed }: Disturbed): Promise<void> {
  await installed.agreed();
  await installed.reconcile();
  report('the bank, payments, holds, intents and reporting agree, and the reconciliation finds no difference');
}

/** Another release beside the first: it works independently of it. */
async function secondRelease(name: string, { scene, installed }: Disturbed): Promise<void> {
  const namespace = await makeNamespace(name, 'restricted');
  try {
    const hosts = { main: second.main, partner: second.partner };
    const other = await install(namespace, newestOnly, { hosts, 'defaults.replicas': 1 });
    await other.test();
    const merchants = await other.makeMerchants();
    await operatorsCommands(namespace, merchants);
    report('an operator’s commands, as the page has them pasted, work where no policy means no traffic');
    const { apiKey } = merchants;
    const merchant = merchantAt(second, apiKey);
    const card = await merchant.saveCard();
    const charged = await merchant.charge(card);
    if (charged.status !== 201) throw new Error(`the second release answered ${charged.status}`);
    const mistaken = await merchantAt(door, apiKey).send('GET', '/payment-method');
    if (mistaken.status !== 401)
      throw new Error(`the first release answered a key of the second with ${mistaken.status}`);
    await Promise.all([other.agreed(), installed.agreed()]);
    report('a second release in another namespace charges, and its keys are unknown to the first');
    await nothingLeft(namespace, other);
    await scene.merchant.saveCard();
    report('the second uninstalled, nothing left, and the first goes on');
  } finally {
    await namespace.remove();
  }
}

async function nothingLeft(namespace: Namespace, installed: Installation): Promise<void> {
  await installed.uninstall();
  const notOurs = Object.entries(OF_THE_TEST).map(([label, value]) => `${label}!=${value}`);
  const none = async (kinds: string) =>
    (await namespace.kubectl('get', kinds, '-o', 'name', '-l', notOurs.join(','))).trim();
  await until('no pod is left', async () => (await none('pods')) === '');
  const kinds =
    'deployments,statefulsets,services,ingresses,networkpolicies,poddisruptionbudgets,horizontalpodautoscalers,jobs,cronjobs';
  const left = await none(kinds);
  if (left !== '') throw new Error(`left behind: ${left}`);
}

/** Keeps the logs of this step's own namespace, which is removed after it. */
async function withLogs(name: string, step: (namespace: string) => Promise<void>): Promise<void> {
  const own = join(folder, name);
  mkdirSync(own);
  const kept = await keepLogs(`${mainName}-${name}`, own);
  try {
    await step(`${mainName}-${name}`);
  } finally {
    kept.stop();
  }
}

const steps: Record<string, (disturbed: Disturbed) => Promise<void>> = {
  deniedTraffic: async ({ scene, installed }) => {
    await deniedTraffic(scene.namespace, installed);
    report('a stranger reaches the gateway and no other service; reporting reaches neither the bank nor the gateway');
  },
  upgradeAndRollback,
  deletions,
  kills,
  serverRestarts,
  evictions,
  agreed,
  failingMigration,
  growth,
  ownTls: (disturbed) => ownTls(disturbed, given.wire ? given.url : undefined),
  releaseByTls: ({ killers }) => withLogs('tls', (name) => releaseByTls(name, killers)),
  webhooksThroughProxy: async (disturbed) => {
    if (given.here !== undefined) await webhooksThroughProxy(disturbed, given.here);
  },
  stripeRelease: async () => {
    const { here } = given;
    if (here === undefined) return;
    await withLogs('stripe', (name) => stripeRelease(name, { options: newestOnly, door: second, here, report }));
  },
  secondRelease: (disturbed) => withLogs('second', (name) => secondRelease(name, disturbed)),
  agreedAgain: agreed,
  nothingLeft: async ({ scene, installed }) => {
    await nothingLeft(scene.namespace, installed);
    report('uninstalled, nothing left');
  },
};
const chosen = given.only?.split(',') ?? Object.keys(steps);
const unknown = chosen.filter((step) => steps[step] === undefined);
if (unknown.length > 0) throw new Error(`there is no step ${unknown.join(', ')}`);

const namespace = await makeNamespace(mainName, 'restricted');
const logs = await keepLogs(mainName, folder);
const killers = await makeNamespace(`${mainName}-kill`, 'privileged');
try {
  const disturbed = await makeDisturbed(namespace, killers, { at: door, of: options });
  for (const step of chosen) await steps[step]?.(disturbed);
  console.log(`${seconds(started)}  in all, helm ${await run(options.helm, ['version', '--short'])}`);
} catch (error) {
  report(error instanceof Error ? error.message : String(error));
  console.log(await namespace.kubectl('get', 'pods,jobs').catch(String));
  console.log(await namespace.kubectl('events', '--types=Warning').catch(String));
  process.exitCode = 1;
} finally {
  writeFileSync(join(folder, 'events.txt'), await namespace.kubectl('events').catch(String));
  logs.stop();
  console.log(`every log, and what failed: ${folder}`);
  if (!given.keep) await Promise.allSettled([namespace.remove(), killers.remove()]);
}
