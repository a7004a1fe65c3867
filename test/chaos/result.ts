import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { say } from '../../dev/stack/in-own-run.ts';
import type { Stack } from '../../dev/stack/stack.ts';
import { isRefused } from '../sick/felt.ts';
import { type Findings, noteLast } from './balance.ts';
import type { Line } from './client.ts';
import type { Part } from './history.ts';
import { judge, type Judgement } from './judge.ts';
import { type Floor, noteTimes } from './shop.ts';

export const HISTORY = 'history.jsonl';

/** A run whose load has ended, and what was found wrong so far. */
interface EndedRun {
  stack: Stack;
  floor: Floor;
  line: Line;
  findings: Findings;
}

/**
 * Ends the run's history in this folder and judges it; it must contain operations of all `kinds`. Prints the counts and what is wrong,
 * writes both and `more` into result.json, and returns the exit code.
 */
export async function endRun(
  name: string,
  { stack, floor, line, findings }: EndedRun,
  { folder, kinds, ...more }: { folder: string; kinds: readonly Part['model'][]; minutes: number; faults: number },
): Promise<number> {
  await noteLast(stack, floor);
  noteTimes(floor);
  await line.close();
  await floor.history.close();
  const judged = judgeInto(findings, join(folder, HISTORY), kinds);
  const operations = line.ended.length;
  const refused = line.ended.filter(isRefused).length;
  const result = { ...more, operations, refused, judged, findings };
  writeFileSync(join(folder, 'result.json'), `${JSON.stringify(result, undefined, 2)}\n`);
  const problems = Object.entries(findings).flatMap(([check, sentences]) => sentences.map((one) => `${check}: ${one}`));
  const parts = Object.entries(judged.parts).map(([kind, count]) => `${count} ${kind}s`);
  process.stdout.write(
    `${name}: ${more.minutes} minutes, ${more.faults} faults, ${operations} requests, ${refused} refused or cut; ` +
      `judged in ${judged.seconds.toFixed(1)} s: ${parts.join(', ')}, ${judged.open} open ends\n`,
  );
  for (const problem of problems) process.stdout.write(`NOT RIGHT: ${problem}\n`);
  return problems.length === 0 ? 0 : 1;
}

/** Adds a finding for each part that no order explains, and for each kind with nothing to judge. */
function judgeInto(findings: Findings, historyFile: string, kinds: readonly Part['model'][]): Judgement {
  const { shown, ...judged } = judge(historyFile);
  if (shown !== '') say(shown);
  const unexplained = [
    ...(judged.violations ?? []),
    ...(judged.unknown ?? []).map((name) => `${name}: not within time`),
  ];
  const unjudged = kinds.filter((kind) => judged.parts[kind] === undefined);
  if (unjudged.length > 0) findings['judged'] = unjudged.map((kind) => `there was no ${kind} to judge`);
  // Each name begins with its kind.
  for (const name of unexplained) (findings[`order of a ${name.split(' ', 1)[0]}`] ??= []).push(name);
  return judged;
}
