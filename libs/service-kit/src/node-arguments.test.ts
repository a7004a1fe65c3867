import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { NODE_ARGUMENTS } from './node-arguments.ts';

test('a signal opens no inspector in a process that has cards and keys in memory', async () => {
  const program = `
    const { url } = require('node:inspector');
    process.kill(process.pid, 'SIGUSR1');
    setInterval(() => url() !== undefined && process.exit(1), 10);
    setTimeout(() => process.exit(0), 1_000);`;
  const child = spawn(process.execPath, [...NODE_ARGUMENTS, '-e', program], { env: {}, stdio: 'ignore' });
  await expect(once(child, 'exit')).resolves.toEqual([0, null]);
});
