import { once } from 'node:events';
import { TEST_ENVIRONMENT } from '@cobro/testing/test-environment.ts';
import { mutateRules } from './mutation/mutate-rules.ts';
import { cleanUpDeadRuns } from './stack/clean-up.ts';
import { dropForeign } from './stack/drop-foreign.ts';
import { compiledFolder, compileServices } from './stack/compile-services.ts';
import { repositoryFolder } from './stack/run-record.ts';
import { type Run, openRun } from './stack/run.ts';
import { tellFailure } from './stack/servers/server.ts';
import { startServers } from './stack/servers/start-servers.ts';
import { stopOnSignals } from './stack/stop-on-signals.ts';
import { prepareTests } from './stack/test-environment.ts';

const WORKERS = 3;
const say = (line: string) => void process.stderr.write(`${line}\n`);

/**
 * `npm test -- [--all] [arguments of jest]`: starts real servers for all tests of the run, runs jest, and removes everything. With
 * `--all` and without arguments it also changes the rules and sees whether their tests notice.
 */
async function test(run: Run): Promise<number> {
  const all = process.argv.includes('--all');
  const jestArguments = process.argv.slice(2).filter((argument) => argument !== '--all');
  const settings = { durable: false, virtualHosts: WORKERS };
  const [servers] = await Promise.all([startServers(run, settings, say), compileServices(run)]);
  const environment = await prepareTests(run, servers, say);
  const jest = run.spawn({
    name: 'jest',
    command: process.execPath,
    args: [
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      'node_modules/jest/bin/jest.js',
      `--maxWorkers=${WORKERS}`,
      ...jestArguments,
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
  const [code] = (await once(jest, 'exit')) as [number | null];
  return code === 0 && all && jestArguments.length === 0 ? mutateRules(run) : (code ?? 1);
}

await cleanUpDeadRuns({ dropForeign, say });
const run = openRun();
let finished: Promise<void> | undefined;
const finish = () => (finished ??= leaveNothing());
const interrupted = stopOnSignals({ stop: finish }, say);
process.exitCode = await test(run).catch((error: unknown) => (interrupted() ? 130 : tellFailure(say)(error)));
await finish();
process.exit();

async function leaveNothing(): Promise<void> {
  await run.stop();
  // A worker that was killed may have left a stack behind. The worker's run is dead now, so that stack can be removed.
  await cleanUpDeadRuns({ dropForeign, say });
}
