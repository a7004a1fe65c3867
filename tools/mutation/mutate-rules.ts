import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryFolder } from '../stack/run-record.ts';
import type { Run } from '../stack/run.ts';

const folder = import.meta.dirname;
const lockfile = path.join(folder, 'package-lock.json');
/** The lockfile by which the packages were installed. */
const installed = path.join(folder, 'node_modules/installed.json');

/**
 * Changes the rules, one thing after the other, and runs their tests each time (docs/mutation.md). Returns an exit code: 1 where
 * the tests notice less than 90 % of the changes.
 */
export async function mutateRules(run: Run, say: (line: string) => void): Promise<number> {
  install(say);
  const stryker = run.spawn({
    name: 'stryker',
    command: process.execPath,
    args: [
      path.join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js'),
      'run',
      path.join(folder, 'stryker.config.mjs'),
      // The copy of the repository that Stryker changes. It goes with the run, however this ends.
      '--tempDirName',
      path.join(run.dataFolder, 'mutation'),
    ],
    env: process.env,
    cwd: repositoryFolder,
    output: 'terminal',
  });
  const [code] = (await once(stryker, 'exit')) as [number | null];
  return code ?? 1;
}

function install(say: (line: string) => void): void {
  if (existsSync(installed) && readFileSync(installed).equals(readFileSync(lockfile))) return;
  say('Installing Stryker: npm ci in tools/mutation.');
  execFileSync('npm', ['ci', '--loglevel=error'], { cwd: folder, stdio: ['ignore', 2, 2] });
  copyFileSync(lockfile, installed);
}
