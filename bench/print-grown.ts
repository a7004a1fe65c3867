import { type Figures, showSpread } from './figures.ts';

/** What pairs of authorize and capture cost with one more of something. */
export interface Grown {
  factor: string;
  figures: Figures;
}

export function printGrown(grown: Grown[], print: (line: string) => void): void {
  print(
    '| pairs | per second | latency p50 / p99, ms | CPU ms: ours | payments | holds | Postgres | RabbitMQ | failed |',
  );
  print('|---|---:|---:|---:|---:|---:|---:|---:|---:|');
  for (const { factor, figures } of grown) {
    const { perSecond, latency, cpu, failed } = figures;
    const used = ['ours', 'payments', 'holds', 'postgres', 'rabbitmq'].map(
      (name) => cpu[name]?.median.toFixed(2) ?? '',
    );
    const latencies = `${latency.p50.toFixed(1)} / ${latency.p99.toFixed(1)}`;
    print(`| ${factor} | ${showSpread(perSecond)} | ${latencies} | ${used.join(' | ')} | ${failed} |`);
  }
}
