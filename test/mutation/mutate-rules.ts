import { once } from 'node:events';
import path from 'node:path';
import { repositoryFolder } from '../../dev/stack/run-record.ts';
import type { Run } from '../../dev/stack/run.ts';

/** Nothing else needs Stryker and its hundred packages, so npm fetches them on demand and keeps them in its cache. */
const VERSION = '10.0.0';
const NPM_EXEC = [
  'exec',
  '--yes',
  '--ignore-scripts',
  '--loglevel=error',
  ...['core', 'jest-runner'].map((name) => `--package=@stryker-mutator/${name}@${VERSION}`),
  '--',
];

/**
 * Makes one change after the other to the rules, and runs their tests each time. Returns an exit code: 1 if the tests notice less than 90
 * % of the changes.
 */
export async function mutateRules(run: Run): Promise<number> {
  const stryker = run.spawn({
    name: 'stryker',
    command: 'npm',
    args: [
      ...NPM_EXEC,
      'stryker',
      'run',
      path.join(import.meta.dirname, 'stryker.config.mjs'),
      // The copy of the repository that Stryker changes. It is removed with the run, however this ends.
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
