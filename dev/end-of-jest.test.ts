import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { endOfJest } from './end-of-jest.ts';

const OPEN = 'setInterval(() => {}, 1000)';

let folder: string;
let results: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cobro-end-'));
  results = join(folder, 'results.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A process in place of jest: its exit code, and the lines that are said. */
async function endOf(program: string, longestMs = 60_000) {
  const said: string[] = [];
  const jest = spawn(process.execPath, ['-e', program], { stdio: 'ignore' });
  const code = await endOfJest(jest, { results, patienceMs: 5_000, longestMs, say: (line) => void said.push(line) });
  return { code, said, hasEnded: jest.exitCode !== null || jest.signalCode !== null };
}
const writing = () => `require('fs').writeFileSync(${JSON.stringify(results)}, '{}')`;

test('the exit code of a run that ends by itself is the run’s', async () => {
  expect(await endOf(writing())).toEqual({ code: 0, said: [], hasEnded: true });
  rmSync(results);
  expect(await endOf(`${writing()}; process.exitCode = 3`)).toEqual({ code: 3, said: [], hasEnded: true });
});

test('a run that was killed has failed', async () => {
  expect(await endOf(`process.kill(process.pid, 'SIGKILL')`)).toEqual({ code: 1, said: [], hasEnded: true });
});

test('a run that has its results and does not end is ended, and has failed', async () => {
  expect(await endOf(`${writing()}; ${OPEN}`)).toEqual({
    code: 1,
    said: ['All tests have run, but a file has left something open: jest was ended.'],
    hasEnded: true,
  });
});

test('a run without results is ended after a while, and has failed', async () => {
  expect(await endOf(OPEN, 300)).toEqual({
    code: 1,
    said: ['The tests have not ended after 0 minutes.'],
    hasEnded: true,
  });
});
