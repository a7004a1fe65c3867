/**
 * `npm run bench [-- --seconds 8 --runs 3 --concurrency 16 --scenarios pair --json FILE]`: what a charge and a pair of authorize
 * and capture cost through the gateway. A `pair` captures about a second later, a `pairAtOnce` at once. Ratios within one run
 * hold; rates depend on the machine. `--telemetry off,metrics,on`: nothing, metrics that are read every five seconds, spans.
 * `--acquirers bank,stripe`: the simulator, and the Stripe adapter before localstripe, which needs Python. `--perf`: names of
 * functions for a profile (docs/performance.md, 'Where the time goes').
 */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { serviceNames } from '../services/definitions.ts';
import { openRun } from '../dev/stack/run.ts';
import { startStack } from '../dev/stack/stack.ts';
import { stopOnSignals } from '../dev/stack/stop-on-signals.ts';
import { optionsOf, runBench, say } from './bench-program.ts';
import type { Acquirer, Figures, Telemetry } from './figures.ts';
import type { Scenario } from './driver.ts';
import { forkDriver, measure, warmUp } from './measure.ts';
import { memoryOf } from './memory.ts';
import { makeMerchants } from './merchants.ts';
import { printTable } from './print-table.ts';
import { exportedMetrics } from './exported-metrics.ts';

/** A process that has been ready for this long has the memory that it needs at rest. */
const AT_REST_AFTER_MS = 5_000;

const options = optionsOf({
  seconds: 8,
  runs: 3,
  concurrency: 16,
  json: '',
  telemetry: 'off,on',
  scenarios: 'charge,pair,pairAtOnce',
  acquirers: 'bank',
  perf: false,
});
const { seconds, runs, concurrency } = options;

async function bench(): Promise<void> {
  const figures: Figures[] = [];
  for (const acquirer of options.acquirers.split(',') as Acquirer[]) {
    for (const setting of options.telemetry.split(',') as Telemetry[])
      figures.push(...(await benchStack(setting, acquirer)));
  }
  printTable(figures);
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`;
  if (options.json !== '') {
    writeFileSync(options.json, `${JSON.stringify({ machine, seconds, runs, concurrency, figures }, null, 2)}\n`);
  }
}

const READ_METRICS_EVERY_MS = 5_000;
const NAMES_FOR_PERF = '--perf-basic-prof --interpreted-frames-native-stack';

async function benchStack(telemetry: Telemetry, acquirer: Acquirer): Promise<Figures[]> {
  const run = openRun();
  stopOnSignals(run, say);
  const exported = telemetry === 'metrics' ? await exportedMetrics() : undefined;
  const given = { LOG_LEVEL: 'info', ...(options.perf && { NODE_OPTIONS: NAMES_FOR_PERF }) };
  const services = serviceNames.map((name) => [name, { ...given, ...exported?.env[name] }]);
  const env = { ...Object.fromEntries(services), bank: given };
  const stack = await startStack({
    run,
    say,
    telemetry: telemetry === 'on',
    env,
    ...(acquirer === 'stripe' && { acquirer }),
  });
  const readMetrics = async () => {
    for (const port of Object.values(exported?.ports ?? {}))
      await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  };
  const reading = setInterval(() => void readMetrics().catch(() => {}), READ_METRICS_EVERY_MS);
  const driver = forkDriver();
  try {
    await sleep(AT_REST_AFTER_MS);
    const atStart = memoryOf(stack.processes.pids());
    const merchants = await makeMerchants(stack, concurrency, say);
    const orders = { baseUrl: stack.baseUrl, merchants };
    say(`warming up (telemetry ${telemetry})`);
    await warmUp(driver, orders);
    const figures: Figures[] = [];
    for (const scenario of options.scenarios.split(',') as Scenario[]) {
      say(`${scenario}, ${runs} runs of ${seconds} s`);
      figures.push(
        await measure(stack, driver, { ...orders, scenario, seconds }, { telemetry, acquirer, atStart, runs, say }),
      );
    }
    return figures;
  } finally {
    clearInterval(reading);
    driver.disconnect();
    await stack.stop();
  }
}

await runBench(bench);
