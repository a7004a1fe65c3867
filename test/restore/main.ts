/**
 * `npm run drill -- restore [--seconds 10 --merchants 6 --per-second 8]`: loses the data of Postgres and of the broker under
 * load, restores Postgres from a base backup and the received log, starts with an empty broker, and exits with 1 unless nothing
 * that was answered is lost, no money moved twice and all books agree. It leaves only its log, .stack/restore-drill.log.
 */
import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { optionsOf } from '../../bench/bench-program.ts';
import { inOwnRun } from '../../dev/stack/in-own-run.ts';
import { stackFolder } from '../../dev/stack/run-record.ts';
import type { Run } from '../../dev/stack/run.ts';
import { drill } from './drill.ts';

const options = optionsOf({ seconds: 10, merchants: 6, 'per-second': 8 });

const begun = performance.now();
const logFile = join(stackFolder, 'restore-drill.log');
const say = (line: string) => {
  const timed = `${((performance.now() - begun) / 1_000).toFixed(1).padStart(6)} s  ${line}\n`;
  process.stdout.write(timed);
  appendFileSync(logFile, timed);
};

async function main(run: Run): Promise<number> {
  rmSync(logFile, { force: true });
  const wrong = await drill(run, { ...options, perSecond: options['per-second'] }, say);
  for (const sentence of wrong) say(`NOT RIGHT: ${sentence}`);
  if (wrong.length === 0) say('all of it is right');
  return wrong.length === 0 ? 0 : 1;
}

await inOwnRun(main, say);
