import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { TEST_ENVIRONMENT } from '@cobro/testing/test-environment.ts';
import { type FileResult, flakyFiles } from './flaky-files.ts';
import { mutateRules } from '../test/mutation/mutate-rules.ts';
import { cleanUpDeadRuns } from './stack/clean-up.ts';
import { dropForeign } from './stack/drop-foreign.ts';
import { say } from './stack/in-own-run.ts';
import { compiledFolder, packPrograms } from './stack/pack-programs.ts';
import { repositoryFolder } from './stack/run-record.ts';
import { type Run, openRun } from './stack/run.ts';
import { reportFailure } from './stack/servers/server.ts';
import { startServers } from './stack/servers/start-servers.ts';
import { stopOnSignals } from './stack/stop-on-signals.ts';
import { prepareTests } from './stack/test-environment.ts';

const WORKERS = 3;
/** Long files together take longer than all others. */
const WITHOUT_LONG = String.raw`--testPathIgnorePatterns=\.long\.test\.ts$`;

/**
 * `npm test -- [--all] [arguments of jest]`: starts real servers for all tests of the run, runs jest, and removes everything. Long files
 * run with `--all` or if a path is given. With `--all` and without arguments it also changes the rules and sees whether their tests notice.
 */
async function test(run: Run): Promise<number> {
  const all = process.argv.includes('--all');
  const jestArguments = process.argv.slice(2).filter((argument) => argument !== '--all');
  const settings = { durable: false, virtualHosts: WORKERS };
  const [servers, packed] = await Promise.all([startServers(run, settings, say), packPrograms(run)]);
  const environment = await prepareTests(run, servers, packed, say);
  const jest = async (results: string, args: readonly string[], workers = WORKERS) => {
    const child = run.spawn({
      name: 'jest',
      command: process.execPath,
      args: [
        '--experimental-vm-modules',
        '--disable-warning=ExperimentalWarning',
        'node_modules/jest/bin/jest.js',
        `--maxWorkers=${workers}`,
        // A file whose beforeAll failed half way leaves connections open, and jest would wait for them forever.
        '--forceExit',
        ...args,
        '--json',
        `--outputFile=${results}`,
      ],
      env: {
        ...process.env,
        // Tests pass it on to the processes that they start.
        NODE_COMPILE_CACHE: compiledFolder,
        [TEST_ENVIRONMENT]: JSON.stringify(environment),
        ...(all ? { TEST_ALL: '1' } : {}),
      },
      cwd: repositoryFolder,
      output: 'terminal',
    });
    const [code] = (await once(child, 'exit')) as [number | null];
    return code ?? 1;
  };
  const results = join(run.folder, 'jest-results.json');
  const isShort = !all && !jestArguments.some(isPath);
  const first = await jest(results, isShort ? [WITHOUT_LONG, ...jestArguments] : jestArguments);
  const code = first === 0 ? 0 : await runFlakyAgain(run, results, jest);
  if (
    code === 0 &&
    all &&
    ['acquirers/', 'ops/conformance/', 'test/histories/', 'test/openapi/'].some((folder) => hasSkipped(results, folder))
  ) {
    say(
      'Tests of acquirers, of histories or of documents were skipped, because Python, Go or the npm registry is missing.',
    );
    return 2;
  }
  return code === 0 && all && jestArguments.length === 0 ? mutateRules(run) : code;
}

const isPath = (argument: string) => !argument.startsWith('-') && /[/]|\.ts$/.test(argument);

/** Whether tests in this folder were skipped. */
function hasSkipped(results: string, folder: string): boolean {
  const { testResults } = JSON.parse(readFileSync(results, 'utf8')) as {
    testResults: { name: string; assertionResults: { status: string }[] }[];
  };
  const inside = testResults.filter(({ name }) => relative(repositoryFolder, name).startsWith(folder));
  return inside.some(({ assertionResults }) => assertionResults.some(({ status }) => status === 'pending'));
}

/** Runs flaky files once more, so that a slow machine fails no run. Each line that this prints is still a defect to be found. */
async function runFlakyAgain(
  run: Run,
  results: string,
  jest: (results: string, args: string[], workers: number) => Promise<number>,
): Promise<number> {
  if (!existsSync(results)) return 1;
  const { testResults } = JSON.parse(readFileSync(results, 'utf8')) as { testResults: FileResult[] };
  const flaky = flakyFiles(testResults.map((file) => ({ ...file, name: relative(repositoryFolder, file.name) })));
  if (flaky.length === 0) return 1;
  for (const { name, firstFailure } of flaky) say(`FLAKY ${name}: ${firstFailure}`);
  return jest(join(run.folder, 'jest-results-again.json'), ['--runTestsByPath', ...flaky.map(({ name }) => name)], 1);
}

await cleanUpDeadRuns({ dropForeign, say });
const run = openRun();
let finished: Promise<void> | undefined;
const finish = () => (finished ??= leaveNothing());
const interrupted = stopOnSignals({ stop: finish }, say);
process.exitCode = await test(run).catch((error: unknown) => (interrupted() ? 130 : reportFailure(say)(error)));
await finish();
process.exit();

async function leaveNothing(): Promise<void> {
  await run.stop();
  // A worker that was killed may have left a stack behind. The worker's run is dead now, so that stack can be removed.
  await cleanUpDeadRuns({ dropForeign, say });
}
