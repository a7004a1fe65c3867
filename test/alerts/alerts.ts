/**
 * `npm run drill -- alerts [--only CobroBankAway,CobroRedisAway]`: makes each cause of `causes/` on its own stack, under light load,
 * before a real Prometheus with the chart's rules. Checks that this alert fires and no other does, that none fires while all is well, and
 * that the processes export what the catalogue says. promtool tries alerts that no cause here makes (rules.test.yaml);
 * `tried-by-promtool.test.ts` checks that every alert is tried. With `--hold` each cause stays, unnamed, until Enter is pressed: a drill
 * for people.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { payer } from '@cobro/testing/test-links.ts';
import { cardBody } from '@cobro/testing/test-merchant.ts';
import { until } from '@cobro/testing/until.ts';
import { serviceNames } from '../../services/definitions.ts';
import { alertsFile } from '../../dev/docs/alert-rules.ts';
import { getHelm } from '../../deploy/helm-tests/get-helm.ts';
import { named, production, specOf } from '../../deploy/helm-tests/rendered.ts';
import { render } from '../../deploy/helm-tests/chart.ts';
import type { Run } from '../../dev/stack/run.ts';
import { refuseGivenServers } from '../../dev/stack/servers/given-servers.ts';
import { Sentence } from '../../dev/stack/servers/server.ts';
import { startStack } from '../../dev/stack/stack.ts';
import { waitUntil } from '../../dev/stack/wait-until.ts';
import { makeMerchants, saveCard } from '../../bench/merchants.ts';
import type { Merchant } from '../../bench/payment-requests.ts';
import { listLater, mix, startTraffic } from '../sick/traffic.ts';
import { exportedMetrics } from '../../bench/exported-metrics.ts';
import { inOwnRun, say } from '../../dev/stack/in-own-run.ts';
import { causes } from './causes/all.ts';
import type { Cause } from './causes/cause.ts';
import { type Holding, openHolding } from './hold.ts';
import { openParts, type Parts } from './parts.ts';
import { findPrometheus, type Prometheus, startPrometheus } from './prometheus.ts';
import { openScraped } from './scraped.ts';
import { shortenedRules } from './shortened-rules.ts';
import { promtoolTests } from './tried-by-promtool.ts';

const MERCHANTS = 6;
const STEPS_PER_SECOND = 6;
const WELL_FOR_MS = 25_000;
const FIRES_WITHIN_MS = 60_000;
/** How long the cause goes on after its alert, to see whether it fires another one. */
const WATCHED_MS = 4_000;
const OVER_WITHIN_MS = 90_000;
/** Reconciliation leaves out what is younger than five minutes. */
const OLD_AFTER_MS = 5 * 60_000 + 10_000;

const { only, hold } = parseArgs({ options: { only: { type: 'string' }, hold: { type: 'boolean' } } }).values;

/** Promtool checks the rules of the file and as the chart renders them, and tries those that need a day or a cluster. */
function checkByPromtool(run: Run, program: string): void {
  const rendered = join(run.dataFolder, 'rendered.yaml');
  const [helm] = getHelm();
  if (helm === undefined) throw new Error('there is no helm');
  const rule = named(render(helm, production), 'PrometheusRule', 'shop-cobro');
  writeFileSync(rendered, JSON.stringify(specOf(rule)));
  for (const args of [
    ['check', 'rules', alertsFile, rendered],
    ['test', 'rules', promtoolTests],
  ]) {
    try {
      execFileSync(program, args, { stdio: 'pipe' });
    } catch (error) {
      const { stdout, stderr } = error as { stdout: Buffer; stderr: Buffer };
      throw new Sentence(`promtool ${args[0]} ${args[1]}: ${String(stdout)}${String(stderr)}`);
    }
  }
  say('promtool: the rules of the file and of the chart are right, and so are those that it tried');
}

async function main(run: Run, program: string, promtool: string): Promise<number> {
  const wanted = causes.filter(({ alert }) => only === undefined || only.split(',').includes(alert));
  if (wanted.length === 0) throw new Sentence(`There is no cause of ${only}.`);
  refuseGivenServers('This test stops servers, so it starts its own');
  checkByPromtool(run, promtool);
  return tryAll(run, program, wanted);
}

async function tryAll(run: Run, program: string, wanted: readonly Cause[]): Promise<number> {
  const { ports, env } = await exportedMetrics();
  const stack = await startStack({ run, say, telemetry: hold === true, durable: false, env });
  const [own, ...merchants] = (await makeMerchants(stack, MERCHANTS + 1, say)) as [Merchant, ...Merchant[]];
  const parts = openParts(stack, own.apiKey);
  const card = await saveCard(stack.baseUrl, own.apiKey, testCards.approved);
  const { id: oldPayment } = await parts.merchant.post(`/payment-method/${card}/payment`, { amount: 100 });
  const oldAt = performance.now() + OLD_AFTER_MS;
  await parts.reconcile();
  const rules = join(run.dataFolder, 'rules.yaml');
  writeFileSync(rules, JSON.stringify(shortenedRules()));
  const prometheus = await startPrometheus(run, { program, rules, ports });
  const services = 'count(count by (service_name) (cobro_degraded))';
  await until(
    'Prometheus has read every service',
    async () => (await prometheus.value(services)) === serviceNames.length,
  );
  await allIsOver(prometheus);
  const holding = hold === true ? await openHolding(stack, prometheus, say) : undefined;
  const scraped = openScraped();
  const readAll = () => Promise.all(Object.values(ports).map((port) => scraped.read(port)));

  const problems: string[] = [];
  const rows: string[] = [];
  const load = (one?: Cause) => {
    const steps = one?.withoutLists === true ? mix.filter((step) => step !== listLater) : mix;
    return startTraffic(stack.baseUrl, merchants, STEPS_PER_SECOND, { steps });
  };
  say(`all is well for ${WELL_FOR_MS / 1_000} s`);
  const calm = await load();
  await tryCards(parts);
  const fired = await firedWithin(prometheus, WELL_FOR_MS, () => false);
  await calm.stop();
  await readAll();
  if (fired.names.size > 0) problems.push(`all was well, and ${[...fired.names].join(', ')} fired`);
  for (const cause of wanted) {
    if (/^Cobro(Books|Events)Differ$/.test(cause.alert)) await sleep(Math.max(0, oldAt - performance.now()));
    const traffic = await load(cause);
    const { row, wrong } = await tryOne(prometheus, { ...parts, oldPayment }, cause, holding);
    rows.push(row);
    problems.push(...wrong);
    await readAll().catch(() => {});
    await traffic.stop();
  }
  if (only === undefined) problems.push(...scraped.problems());
  process.stdout.write(`| alert | cause | fired after, s | over after, s |\n|---|---|---:|---:|\n${rows.join('\n')}\n`);
  for (const problem of problems) process.stdout.write(`NOT RIGHT: ${problem}\n`);
  return problems.length === 0 ? 0 : 1;
}

/** Tries one card too often, which must fire no alert. */
async function tryCards({ merchant }: Pick<Parts, 'merchant'>): Promise<void> {
  const { id } = await merchant.post('/one-time-payment', { amount: 90, description: 'Café' });
  const attempt = { card: cardBody(testCards.declined), billingInformation: payer };
  for (let n = 0; n < 6; n++) await merchant.post(`/one-time-payment/${id}/payment`, attempt, {});
}

async function tryOne(
  prometheus: Prometheus,
  parts: Parts,
  cause: Cause,
  holding: Holding | undefined,
): Promise<{ row: string; wrong: string[] }> {
  const { alert, what, also = [] } = cause;
  if (holding === undefined) say(`${alert}: ${what}`);
  const begun = performance.now();
  const end = await cause.begin(parts);
  const fires = await firedWithin(prometheus, FIRES_WITHIN_MS, (names) => names.has(alert));
  const after = fires.at === undefined ? undefined : fires.at - begun;
  const watched = await firedWithin(prometheus, WATCHED_MS, () => false);
  await holding?.untilEnter(alert);
  if (holding !== undefined) say(`the cause was: ${what}`);
  const endless = await end().then(
    () => [],
    (error: unknown) => [`${what}: ${String(error)}`],
  );
  const ended = performance.now();
  const isOver = await allIsOver(prometheus);
  const over = isOver ? performance.now() - ended : undefined;
  const names = new Set([...fires.names, ...watched.names]);
  const others = [...names].filter((name) => name !== alert && !also.includes(name));
  const wrong = [
    ...endless,
    ...(after === undefined ? [`${alert} did not fire: ${what}`] : []),
    ...others.map((name) => `${name} fired: ${what}`),
    ...(isOver ? [] : [`${(await prometheus.alerts('firing', 'pending')).join()} did not end: ${what}`]),
  ];
  wrong.forEach((problem) => say(`  NOT RIGHT: ${problem}`));
  const seconds = (ms: number | undefined) => (ms === undefined ? '–' : (ms / 1_000).toFixed(0));
  return { row: `| \`${alert}\` | ${what} | ${seconds(after)} | ${seconds(over)} |`, wrong };
}

/** All alerts that fired within `ms`, or until `enough` is true. */
async function firedWithin(prometheus: Prometheus, ms: number, enough: (names: Set<string>) => boolean) {
  const names = new Set<string>();
  for (const end = performance.now() + ms; performance.now() < end; await sleep(250)) {
    for (const name of await prometheus.alerts('firing')) names.add(name);
    if (enough(names)) return { names, at: performance.now() };
  }
  return { names, at: undefined };
}

/** True if all alerts have ended in time. */
const allIsOver = (prometheus: Prometheus): Promise<boolean> =>
  waitUntil(async () => (await prometheus.alerts('firing', 'pending')).length === 0, OVER_WITHIN_MS, 500);

const [program, promtool] = [findPrometheus('prometheus'), findPrometheus('promtool')];
if (program === undefined || promtool === undefined) {
  say('No alert was tried, because Prometheus is not installed here (Debian: apt-get install prometheus).');
  process.exit(process.env['CI'] === 'true' ? 1 : 0);
}
await inOwnRun((run) => main(run, program, promtool));
