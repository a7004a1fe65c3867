import { showSpread, type Spread } from '../figures.ts';
import type { WayFigures } from './gateway-limit.ts';
import type { PostgresFigures } from './postgres-limit.ts';

const print = (lines: string[]) => void process.stdout.write(`${lines.join('\n')}\n`);

/** As Markdown, with how many times pgbench's CPU ours is. */
export function printPostgres(figures: PostgresFigures[]): void {
  const ours = figures.find(({ sender }) => sender === 'ours')?.cpu.median ?? Number.NaN;
  print([
    '| a pair | Postgres CPU, ms | commits | rows inserted | updated | deleted | ours to this |',
    '|---|---:|---:|---:|---:|---:|---:|',
    ...figures.map(({ sender, cpu, commits, inserted, updated, deleted }) => {
      const counts = [commits, inserted, updated, deleted].map(({ median }) => median.toFixed(1));
      return `| ${sender} | ${showSpread(cpu, 2)} | ${counts.join(' | ')} | ${(ours / cpu.median).toFixed(2)} |`;
    }),
    '',
  ]);
}

/** As Markdown, with how many times the pass-through's CPU the gateway's is. */
export function printGateway(figures: WayFigures[]): void {
  const bare = (request: string) =>
    figures.find((of) => of.request === request && of.way === 'pass-through')?.cpu?.median ?? Number.NaN;
  const ratio = (request: string, cpu: Spread) => (cpu.median / bare(request)).toFixed(2);
  print([
    '| request | way | a second | p50, ms | p95, ms | CPU on the way, µs | to the pass-through | failed |',
    '|---|---|---:|---:|---:|---:|---:|---:|',
    ...figures.map(({ request, way, perSecond, p50, p95, cpu, failed }) => {
      const onTheWay = cpu === undefined ? ' | ' : `${showSpread(cpu)} | ${ratio(request, cpu)}`;
      const latency = `${showSpread(p50, 1)} | ${showSpread(p95, 1)}`;
      return `| ${request} | ${way} | ${showSpread(perSecond)} | ${latency} | ${onTheWay} | ${failed} |`;
    }),
  ]);
}
