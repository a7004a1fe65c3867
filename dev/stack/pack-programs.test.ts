import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { testEnvironment } from '@cobro/testing/test-environment.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { compiledFolder, mains, type Packed, packPrograms } from './pack-programs.ts';
import { openRun, type Run } from './run.ts';
import { repositoryFolder } from './run-record.ts';

let run: Run;
let packed: Packed;
let folder: string;
beforeAll(async () => {
  run = openRun();
  packed = await packPrograms(run);
  folder = mkdtempSync(join(tmpdir(), 'cobro-compiled-'));
});
afterAll(async () => {
  await run.stop();
  rmSync(folder, { recursive: true });
});

const SERVICES = mains().filter((main) => !main.startsWith('simulators/localstripe'));
const NOTHING = join(repositoryFolder, 'node_modules');

/** Node's report on its compile cache until the program finds its environment incomplete, with its spans on. */
async function told(main: string, NODE_COMPILE_CACHE: string): Promise<string> {
  const env = {
    NODE_COMPILE_CACHE,
    NODE_DEBUG_NATIVE: 'COMPILE_CACHE',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
  };
  const ended = await promisify(execFile)(process.execPath, packed.argumentsFor(main), {
    cwd: tmpdir(),
    env,
    maxBuffer: 1e8,
  }).catch((error: { code: number; stdout: string; stderr: string }) => error);
  expect(ended).toMatchObject({ code: 78, stderr: expect.stringContaining('The environment is not complete') });
  return ended.stderr;
}

test.each(SERVICES)('%s starts from its packed modules alone, and they are compiled', async (main) => {
  const lines = await told(main, compiledFolder);
  expect(lines).toContain(`${packed.folder}/`);
  expect(lines).not.toContain(NOTHING);
  expect(lines).toMatch(/was accepted/);
  expect(lines).not.toMatch(/was rejected|not initialized/);
});

test('a program that finds nothing compiled compiles', async () => {
  expect(await told('services/reporting/src/main.ts', join(folder, 'empty'))).not.toMatch(/was accepted/);
});

test('programs are packed once for each state of the sources, and one that a run uses stays', async () => {
  const { mtimeMs } = statSync(packed.folder);
  expect(await packPrograms(run)).toMatchObject({ folder: packed.folder });
  expect(packed.folder).toBe(testEnvironment().packed);
  expect(statSync(packed.folder).mtimeMs).toBe(mtimeMs);
});
