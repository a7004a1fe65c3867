import type { Memory } from './memory.ts';
import type { Scenario } from './driver.ts';

/** The value below which this share (0..1) of the sorted values lies. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export interface Spread {
  median: number;
  lowest: number;
  highest: number;
}

/** What the processes export besides their logs: nothing, metrics, or spans as well. */
export type Telemetry = 'off' | 'metrics' | 'on';

/** The bank: the simulator, or the Stripe adapter in front of localstripe. */
export type Acquirer = 'bank' | 'stripe';

export interface Figures {
  scenario: Scenario;
  telemetry: Telemetry;
  acquirer: Acquirer;
  /** What sets these runs apart. */
  what?: string;
  perSecond: Spread;
  /** Milliseconds over all runs. */
  latency: { p50: number; p95: number; p99: number };
  /** CPU milliseconds per charge or pair, by process; `ours` is the services and the bank or adapter together. */
  cpu: Record<string, Spread>;
  /** Of each process, 5 s after the start and at the end of the runs. */
  atStart: Record<string, Memory>;
  memory: Record<string, Memory>;
  /** Milliseconds from commit to commit; absent if the server keeps no commit times. */
  eventLag: { p50: number; p99: number } | undefined;
  failed: number;
}

export function spreadOf(values: number[]): Spread {
  return { median: percentile(values, 0.5), lowest: Math.min(...values), highest: Math.max(...values) };
}

/** The spread of each of these figures. */
export const spreadsOf = <Name extends string>(names: readonly Name[], runs: readonly Record<Name, number>[]) =>
  Object.fromEntries(names.map((name) => [name, spreadOf(runs.map((run) => run[name]))])) as Record<Name, Spread>;

export const showSpread = ({ median, lowest, highest }: Spread, digits = 0): string =>
  `${median.toFixed(digits)} (${lowest.toFixed(digits)}–${highest.toFixed(digits)})`;

/** A table in Markdown, whose first column is text and whose others are figures. */
export function tableOf(head: string[], rows: (string | number)[][]): string {
  const line = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`;
  const alignment = head.map((_, column) => (column === 0 ? '---' : '---:'));
  return [line(head), line(alignment), ...rows.map(line)].join('\n');
}
