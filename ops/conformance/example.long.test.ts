import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { freePort } from '@cobro/testing/free-port.ts';
import { until } from '@cobro/testing/until.ts';
import { sentences, type Tried, tryAll } from './conformance.ts';

const program = join(import.meta.dirname, '../../acquirers/example.py');
const tokens = ['old', 'new'];
const hasPython = spawnSync('python3', ['--version']).status === 0;
if (!hasPython)
  process.stderr.write(
    'The example of an acquirer in acquirers/example.py is not tried, because there is no python3.\n',
  );

(hasPython ? describe : describe.skip)('the example of an acquirer in Python', () => {
  test('keeps every sentence of the protocol', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cobro-example-'));
    const url = `http://127.0.0.1:${await freePort()}`;
    let child: ChildProcess | undefined;
    const answers = () =>
      fetch(`${url}/v1/capabilities`).then(
        () => true,
        () => false,
      );
    const start = async () => {
      const args = [program, new URL(url).port, join(folder, 'books')];
      child = spawn('python3', args, { env: { ...process.env, ACCEPTED_TOKENS: tokens.join(',') }, stdio: 'ignore' });
      await until('the example answers', answers);
    };
    const kill = async () => {
      if (child === undefined) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    };
    const restart = () => kill().then(start);
    const moveClock = async (to: Date | undefined) => {
      const offsetMs = to === undefined ? 0 : to.getTime() - Date.now();
      await fetch(`${url}/clock`, { method: 'PUT', body: JSON.stringify({ offsetMs }) });
    };
    await start();
    try {
      const all: Tried[] = [];
      for await (const one of tryAll({ url, tokens, only: [], restart, moveClock })) all.push(one);
      expect(all.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
      expect(all).toHaveLength(sentences.length);
    } finally {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
