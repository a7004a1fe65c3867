import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Sentence } from '../../dev/stack/servers/server.ts';

const folder = join(import.meta.dirname, '../histories');

export const hasGo = (): boolean => spawnSync('go', ['version']).status === 0;

export function needGo(): void {
  if (!hasGo()) throw new Sentence('Histories are judged by porcupine, which needs Go on this machine.');
}

export interface Judgement {
  operations: number;
  open: number;
  judged: number;
  parts: Record<string, number>;
  violations: string[] | null;
  unknown: string[] | null;
  seconds: number;
}

/** Judges a file of calls. `shown` is what the judge prints about violations. @throws if there is no Go */
export function judge(file: string): Judgement & { shown: string } {
  needGo();
  const { stdout, stderr, status } = spawnSync('go', ['run', '.', file], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  const lines = stdout.trimEnd().split('\n');
  if (status === null || !lines.at(-1)?.startsWith('{')) throw new Error(`the judge ended with ${status}: ${stderr}`);
  return { ...(JSON.parse(lines.at(-1) ?? '') as Judgement), shown: lines.slice(0, -1).join('\n') };
}
