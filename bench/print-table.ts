import { type Figures, showSpread, tableOf } from './figures.ts';

/** As Markdown: the median of the runs, and their lowest and highest. */
export function printTable(figures: Figures[]): void {
  const columns = figures.map(
    ({ scenario, telemetry, acquirer, what = '' }) => `${scenario}s at ${acquirer}, telemetry ${telemetry}${what}`,
  );
  const row = (name: string, cell: (of: Figures) => string) => [name, ...figures.map(cell)];
  const processes = [...new Set(figures.flatMap(({ cpu }) => Object.keys(cpu)))];
  const ms = (value: number) => value.toFixed(1);
  const rows = [
    row('per second', ({ perSecond }) => showSpread(perSecond)),
    row('latency p50 / p95 / p99, ms', ({ latency: { p50, p95, p99 } }) => [p50, p95, p99].map(ms).join(' / ')),
    row('event lag p50 / p99, ms', ({ eventLag }) =>
      eventLag === undefined ? 'not known' : `${ms(eventLag.p50)} / ${ms(eventLag.p99)}`,
    ),
    ...processes.map((name) =>
      row(`CPU ms each: ${name}`, ({ cpu }) => (cpu[name] === undefined ? '' : showSpread(cpu[name], 2))),
    ),
    ...Object.keys(figures[0]?.memory ?? {}).map((name) =>
      row(`MB at start / now / peak: ${name}`, ({ atStart, memory }) =>
        [atStart[name]?.now, memory[name]?.now, memory[name]?.peak].map((mb) => mb?.toFixed(0) ?? '').join(' / '),
      ),
    ),
    row('failed', ({ failed }) => String(failed)),
  ];
  process.stdout.write(`${tableOf(['', ...columns], rows)}\n`);
}
