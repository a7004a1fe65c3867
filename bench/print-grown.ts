import { print } from './bench-program.ts';
import { type Figures, showSpread, tableOf } from './figures.ts';

/** What pairs of authorize and capture cost with one more of something. */
export interface Grown {
  factor: string;
  figures: Figures;
}

const HEAD = [
  'pairs',
  'per second',
  'latency p50 / p99, ms',
  'CPU ms: ours',
  'payments',
  'holds',
  'Postgres',
  'RabbitMQ',
];

export function printGrown(grown: Grown[]): void {
  const rows = grown.map(({ factor, figures: { perSecond, latency, cpu, failed } }) => [
    factor,
    showSpread(perSecond),
    `${latency.p50.toFixed(1)} / ${latency.p99.toFixed(1)}`,
    ...['ours', 'payments', 'holds', 'postgres', 'rabbitmq'].map((name) => cpu[name]?.median.toFixed(2) ?? ''),
    failed,
  ]);
  print(tableOf([...HEAD, 'failed'], rows));
}
