/**
 * `npm run bench [-- --seconds 8 --runs 3 --concurrency 16 --json FILE]`: what a charge and a pair of authorize and capture
 * cost, through the gateway, on the whole stack of this machine, with telemetry on and off. Ratios within one run hold; rates
 * depend on the machine. `--telemetry off,metrics,on`: nothing, metrics that are read every five seconds, spans.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { serviceNames } from '../../services/definitions.ts';
import { tellFailure } from '../../tools/stack/servers/server.ts';
import { openRun } from '../../tools/stack/run.ts';
import { type Stack, startStack } from '../../tools/stack/stack.ts';
import { stopOnSignals } from '../../tools/stack/stop-on-signals.ts';
import { cpuSeconds } from './cpu.ts';
import type { Order, Report } from './driver.ts';
import { eventLags } from './event-lag.ts';
import { type Figures, percentile, spreadOf, type Telemetry } from './figures.ts';
import { memoryOf } from './memory.ts';
import { makeMerchants } from './merchants.ts';
import { pidsOf } from './pids.ts';
import { printTable } from './print-table.ts';
import { toldMetrics } from './told-metrics.ts';

/** The product's own processes: the budget of CPU per pair is theirs together. */
const OURS = ['gateway', 'payments', 'holds', 'intents', 'reporting', 'bank'];

/** What a process needs to stand there is told by its memory this long after it was ready. */
const AT_REST_AFTER_MS = 5_000;

/** Operations of each kind: until then much of the code still runs unoptimized, four times as slow. */
const WARM_UP = 2_000;

const options = parseArgs({
  options: {
    seconds: { type: 'string', default: '8' },
    runs: { type: 'string', default: '3' },
    concurrency: { type: 'string', default: '16' },
    json: { type: 'string' },
    telemetry: { type: 'string', default: 'off,on' },
  },
}).values;
const [seconds, runs, concurrency] = [Number(options.seconds), Number(options.runs), Number(options.concurrency)];
const say = (line: string) => void process.stderr.write(`${line}\n`);

async function bench(): Promise<void> {
  const figures: Figures[] = [];
  for (const setting of options.telemetry.split(',')) figures.push(...(await benchStack(setting as Telemetry)));
  printTable(figures);
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`;
  if (options.json !== undefined) {
    writeFileSync(options.json, `${JSON.stringify({ machine, seconds, runs, concurrency, figures }, null, 2)}\n`);
  }
}

const READ_METRICS_EVERY_MS = 5_000;

async function benchStack(telemetry: Telemetry): Promise<Figures[]> {
  const run = openRun();
  stopOnSignals(run, say);
  const told = telemetry === 'metrics' ? await toldMetrics() : undefined;
  const env = Object.fromEntries(serviceNames.map((name) => [name, { LOG_LEVEL: 'info', ...told?.env[name] }]));
  const stack = await startStack({ run, say, telemetry: telemetry === 'on', env });
  const readMetrics = async () => {
    for (const port of Object.values(told?.ports ?? {})) await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  };
  const reading = setInterval(() => void readMetrics().catch(() => {}), READ_METRICS_EVERY_MS);
  const driver = fork(join(import.meta.dirname, 'driver.ts'), { execArgv: [] });
  try {
    await sleep(AT_REST_AFTER_MS);
    const atStart = memoryOf(stack.processes.pids());
    const merchants = await makeMerchants(stack, concurrency, say);
    const orders = { baseUrl: stack.baseUrl, merchants };
    say(`warming up (telemetry ${telemetry})`);
    for (const scenario of ['charge', 'pair'] as const) {
      for (let done = 0; done < WARM_UP;) done += (await order(driver, { ...orders, scenario, seconds: 2 })).done;
    }
    const figures: Figures[] = [];
    for (const scenario of ['charge', 'pair'] as const) {
      say(`${scenario}, ${runs} runs of ${seconds} s`);
      figures.push(await measure(stack, driver, { ...orders, scenario, seconds }, { telemetry, atStart }));
    }
    return figures;
  } finally {
    clearInterval(reading);
    driver.disconnect();
    await stack.stop();
  }
}

async function measure(
  stack: Stack,
  driver: ChildProcess,
  one: Order,
  about: Pick<Figures, 'telemetry' | 'atStart'>,
): Promise<Figures> {
  const reports: Report[] = [];
  const cpu: Record<string, number>[] = [];
  for (let i = 0; i < runs; i++) {
    const before = cpuSeconds(pidsOf(stack, driver));
    const report = await order(driver, one);
    const after = cpuSeconds(pidsOf(stack, driver));
    reports.push(report);
    cpu.push(perOperation(before, after, report.done));
    if (report.firstFailure !== undefined) say(`${report.failed} failed, the first one: ${report.firstFailure}`);
  }
  const latencies = reports.flatMap((report) => report.latencies);
  const lags = await eventLags(stack.databaseUrl, one.scenario);
  return {
    scenario: one.scenario,
    ...about,
    memory: memoryOf(stack.processes.pids()),
    perSecond: spreadOf(reports.map((report) => report.done / report.seconds)),
    latency: { p50: percentile(latencies, 0.5), p95: percentile(latencies, 0.95), p99: percentile(latencies, 0.99) },
    cpu: Object.fromEntries(
      Object.keys(cpu[0] ?? {}).map((name) => [name, spreadOf(cpu.map((of) => of[name] ?? Number.NaN))]),
    ),
    eventLag: lags && { p50: percentile(lags, 0.5), p99: percentile(lags, 0.99) },
    failed: reports.reduce((sum, report) => sum + report.failed, 0),
  };
}

function perOperation(before: Record<string, number>, after: Record<string, number>, operations: number) {
  const each = Object.fromEntries(
    Object.entries(after).map(([name, used]) => [name, ((used - (before[name] ?? 0)) * 1_000) / operations]),
  );
  const ours = OURS.reduce((sum, name) => sum + (each[name] ?? 0), 0);
  return Object.keys(each).length === 0 ? each : { ...each, ours };
}

async function order(driver: ChildProcess, one: Order): Promise<Report> {
  driver.send(one);
  const [report] = (await once(driver, 'message')) as [Report];
  return report;
}

await bench().catch((error: unknown) => process.exit(tellFailure(say)(error)));
process.exit();
