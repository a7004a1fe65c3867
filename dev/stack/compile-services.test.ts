import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { NODE_ARGUMENTS } from '@cobro/service-kit/node-arguments.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { compiledFolder, compileServices, mains, TELEMETRY } from './compile-services.ts';
import { openRun, type Run } from './run.ts';
import { repositoryFolder } from './run-record.ts';

let run: Run;
let folder: string;
beforeAll(async () => {
  run = openRun();
  folder = mkdtempSync(join(tmpdir(), 'cobro-compiled-'));
});
afterAll(async () => {
  await run.stop();
  rmSync(folder, { recursive: true });
});

const TELL =
  "--import=data:text/javascript,process.on('exit',()=>console.log(process.moduleLoadList.some(m=>m.includes('amaro'))))";

/** Whether the process loads Node's TypeScript compiler on its way to where it misses its environment. */
async function needsCompiler(main: string, NODE_COMPILE_CACHE: string): Promise<boolean> {
  const env = { NODE_COMPILE_CACHE, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
  const command = [...NODE_ARGUMENTS, TELL, TELEMETRY, main];
  const ended = await promisify(execFile)(process.execPath, command, { cwd: repositoryFolder, env }).catch(
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
  expect(ended).toMatchObject({ code: 78, stderr: expect.stringContaining('The environment is not complete') });
  return JSON.parse(ended.stdout) as boolean;
}

test.each(mains())('%s starts without compiling anything', async (main) => {
  expect(await needsCompiler(main, compiledFolder)).toBe(false);
});

test('a process that finds nothing compiled compiles', async () => {
  expect(await needsCompiler('services/reporting/src/main.ts', join(folder, 'empty'))).toBe(true);
});

test('what has been compiled is compiled again for other sources only', async () => {
  const compile = () => compileServices(run, folder, ['simulators/bank/src/main.ts']);
  await compile();
  const { size } = statSync(run.logFile('compile'));
  await compile();
  expect(statSync(run.logFile('compile')).size).toBe(size);
  writeFileSync(join(folder, 'done'), 'of other sources');
  await compile();
  expect(statSync(run.logFile('compile')).size).toBeGreaterThan(size);
});
