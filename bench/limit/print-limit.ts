import { showSpread } from '../figures.ts';
import type { PostgresFigures } from './postgres-limit.ts';

/** As Markdown, with how many times pgbench's CPU ours is. */
export function printPostgres(figures: PostgresFigures[]): void {
  const ours = figures.find(({ sender }) => sender === 'ours')?.cpu.median ?? Number.NaN;
  const lines = [
    '| a pair | Postgres CPU, ms | commits | rows inserted | updated | deleted | ours to this |',
    '|---|---:|---:|---:|---:|---:|---:|',
    ...figures.map(({ sender, cpu, commits, inserted, updated, deleted }) => {
      const counts = [commits, inserted, updated, deleted].map(({ median }) => median.toFixed(1));
      return `| ${sender} | ${showSpread(cpu, 2)} | ${counts.join(' | ')} | ${(ours / cpu.median).toFixed(2)} |`;
    }),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
