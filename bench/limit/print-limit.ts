import { print } from '../bench-program.ts';
import { showSpread, tableOf } from '../figures.ts';
import type { PostgresFigures } from './postgres-limit.ts';

/** As Markdown, with the ratio of our CPU to pgbench's. */
export function printPostgres(figures: PostgresFigures[]): void {
  const ours = figures.find(({ sender }) => sender === 'ours')?.cpu.median ?? Number.NaN;
  const rows = figures.map(({ sender, cpu, commits, inserted, updated, deleted }) => {
    const counts = [commits, inserted, updated, deleted].map(({ median }) => median.toFixed(1));
    return [sender, showSpread(cpu, 2), ...counts, (ours / cpu.median).toFixed(2)];
  });
  const done = ['commits', 'rows inserted', 'updated', 'deleted'];
  print(tableOf(['a pair', 'Postgres CPU, ms', ...done, 'ours to this'], rows));
}
