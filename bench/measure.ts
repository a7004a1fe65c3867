import type { ChildProcess } from 'node:child_process';
import { serviceNames } from '../services/definitions.ts';
import type { Stack } from '../dev/stack/stack.ts';
import { say } from './bench-program.ts';
import { cpuMsEach, cpuSeconds } from './cpu.ts';
import { type Report, sendOrder } from './drive.ts';
import type { Order } from './driver.ts';
import { eventLags } from './event-lag.ts';
import { type Figures, percentile, spreadOf } from './figures.ts';
import { memoryOf } from './memory.ts';
import { pidsOf } from './pids.ts';

/** The product's own processes, which share the CPU budget per pair. */
const OURS = [...serviceNames, 'bank', 'stripe'];

/** Operations of each kind: until then much of the code still runs unoptimized, four times as slow. */
export const WARM_UP = 2_000;

export async function warmUp(
  driver: ChildProcess,
  orders: Omit<Order, 'scenario' | 'seconds'>,
  operations = WARM_UP,
): Promise<void> {
  for (const scenario of ['charge', 'pair'] as const) {
    for (let done = 0; done < operations;) done += (await sendOrder(driver, { ...orders, scenario, seconds: 2 })).done;
  }
}

/** What is the same in all runs of a measurement. */
export type Measurement = Pick<Figures, 'telemetry' | 'acquirer' | 'atStart' | 'what'>;

/** An order that is measured in several runs, with others' runs in between. */
export interface Measuring {
  run(): Promise<void>;
  /** The figures of all runs so far. */
  figures(): Promise<Figures>;
}

export function measuring(stack: Stack, driver: ChildProcess, one: Order, about: Measurement): Measuring {
  const reports: Report[] = [];
  const cpu: Record<string, number>[] = [];
  return {
    run: async () => {
      const before = cpuSeconds(pidsOf(stack, driver));
      const report = await sendOrder(driver, one);
      const after = cpuSeconds(pidsOf(stack, driver));
      reports.push(report);
      cpu.push(perOperation(before, after, report.done));
      const { failed, firstFailure } = report;
      if (firstFailure !== undefined) say(`${failed} failed, the first one: ${firstFailure}`);
    },
    figures: () => figuresOf(stack, one, about, { reports, cpu }),
  };
}

/** Repeats the same order, one run after the other. */
export async function measure(
  stack: Stack,
  driver: ChildProcess,
  one: Order,
  { runs, ...about }: Measurement & { runs: number },
): Promise<Figures> {
  const own = measuring(stack, driver, one, about);
  for (let i = 0; i < runs; i++) await own.run();
  return own.figures();
}

async function figuresOf(
  stack: Stack,
  one: Order,
  about: Measurement,
  { reports, cpu }: { reports: Report[]; cpu: Record<string, number>[] },
): Promise<Figures> {
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
  const each = cpuMsEach(before, after, operations);
  const ours = OURS.reduce((sum, name) => sum + (each[name] ?? 0), 0);
  return Object.keys(each).length === 0 ? each : { ...each, ours };
}
