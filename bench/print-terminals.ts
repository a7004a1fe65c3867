import { print } from './bench-program.ts';
import { percentile, tableOf } from './figures.ts';
import type { Report } from './terminals-driver.ts';

/** What was measured with this number of terminals. */
export interface Taps extends Report {
  terminals: number;
}

export interface Cost {
  /** How many terminals waited. */
  terminals: number;
  /** CPU milliseconds a second of each process, and its resident memory in MB; replicas together. */
  cpu: Record<string, number>;
  memory: Record<string, number>;
}

const latency = (values: number[]) =>
  [0.5, 0.95, 0.99, 1].map((share) => percentile(values, share).toFixed(0)).join(' / ');

/** As Markdown: how soon intents came to terminals, and taps to their outcome. */
export function printLatencies(all: Taps[]): void {
  const row = (name: string, cell: (of: Taps) => string | number) => [name, ...all.map(cell)];
  const rows = [
    row('create to terminal p50 / p95 / p99 / max, ms', (of) => latency(of.createToTerminal)),
    row('tap to CONFIRMED p50 / p95 / p99 / max, ms', (of) => latency(of.tapToConfirmed)),
    row('intents created', ({ created }) => created),
    row('not created', ({ notCreated }) => notCreated),
    row('not paid', ({ notPaid }) => notPaid),
    row('answers without an outcome', ({ unclear }) => unclear),
  ];
  print(`${tableOf(['', ...all.map(({ terminals }) => `${terminals} terminals`)], rows)}\n`);
}

/** As Markdown: what waiting costs, process by process. */
export function printCosts(costs: Cost[]): void {
  const rows = (name: string, unit: 'cpu' | 'memory', digits: number) =>
    Object.keys(costs[0]?.[unit] ?? {}).map((process) => [
      `${name}: ${process}`,
      ...costs.map((cost) => cost[unit][process]?.toFixed(digits) ?? ''),
    ]);
  const head = costs.map(({ terminals }) => (terminals === 0 ? 'none waits' : `${terminals} wait`));
  print(`${tableOf(['', ...head], [...rows('CPU ms per second', 'cpu', 1), ...rows('resident MB', 'memory', 0)])}\n`);
}
