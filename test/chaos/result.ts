import { say } from '../../dev/stack/in-own-run.ts';
import type { Findings } from './balance.ts';
import type { Part } from './history.ts';
import { judge, type Judgement } from './judge.ts';

/** Has the history judged. What no order explains becomes a finding, and so does a kind of which there was nothing to judge. */
export function judgeInto(findings: Findings, historyFile: string, kinds: readonly Part['model'][]): Judgement {
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

export interface Result {
  minutes: number;
  faults: number;
  operations: number;
  refused: number;
  judged: Judgement;
  findings: Findings;
}

/** Prints what there was and what was not right, and gives the exit code. */
export function printResult(name: string, { minutes, faults, operations, refused, judged, findings }: Result): number {
  const problems = Object.entries(findings).flatMap(([check, sentences]) => sentences.map((one) => `${check}: ${one}`));
  const parts = Object.entries(judged.parts).map(([kind, count]) => `${count} ${kind}s`);
  process.stdout.write(
    `${name}: ${minutes} minutes, ${faults} faults, ${operations} requests, ${refused} refused or cut; ` +
      `judged in ${judged.seconds.toFixed(1)} s: ${parts.join(', ')}, ${judged.open} open ends\n`,
  );
  for (const problem of problems) process.stdout.write(`NOT RIGHT: ${problem}\n`);
  return problems.length === 0 ? 0 : 1;
}
