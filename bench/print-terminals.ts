import { percentile } from './figures.ts';
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

const say = (lines: string[]) => void process.stdout.write(`${lines.join('\n')}\n\n`);
const row = (cells: string[]) => `| ${cells.join(' | ')} |`;
const head = (cells: string[]) => [row(['', ...cells]), `|---|${cells.map(() => '---:|').join('')}`];

const latency = (values: number[]) =>
  [0.5, 0.95, 0.99, 1].map((share) => percentile(values, share).toFixed(0)).join(' / ');

/** As Markdown: how soon intents came to terminals, and taps to their outcome. */
export function printLatencies(all: Taps[]): void {
  const line = (name: string, cell: (of: Taps) => string | number) => row([name, ...all.map((of) => String(cell(of)))]);
  say([
    ...head(all.map(({ terminals }) => `${terminals} terminals`)),
    line('create to terminal p50 / p95 / p99 / max, ms', (of) => latency(of.createToTerminal)),
    line('tap to CONFIRMED p50 / p95 / p99 / max, ms', (of) => latency(of.tapToConfirmed)),
    line('intents created', ({ created }) => created),
    line('not created', ({ notCreated }) => notCreated),
    line('not paid', ({ notPaid }) => notPaid),
    line('answers without an outcome', ({ unclear }) => unclear),
  ]);
}

/** As Markdown: what waiting costs, process by process. */
export function printCosts(costs: Cost[]): void {
  const waiting = (n: number) => (n === 0 ? 'none waits' : `${n} wait`);
  const rows = (name: string, unit: 'cpu' | 'memory', digits: number) =>
    Object.keys(costs[0]?.[unit] ?? {}).map((process) =>
      row([`${name}: ${process}`, ...costs.map((cost) => cost[unit][process]?.toFixed(digits) ?? '')]),
    );
  say([
    ...head(costs.map(({ terminals }) => waiting(terminals))),
    ...rows('CPU ms per second', 'cpu', 1),
    ...rows('resident MB', 'memory', 0),
  ]);
}
