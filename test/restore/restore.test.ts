import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { describeInFull } from '@cobro/testing/test-in-full.ts';
import { repositoryFolder } from '../../dev/stack/run-record.ts';

/** The drill starts its own servers and takes minutes, so it is only in the long form of the tests. */
describeInFull('after the data of Postgres and of the broker was lost', () => {
  test('what was answered is there, and no money moved twice', async () => {
    const env = { ...process.env, DATABASE_URL: '', AMQP_URL: '', REDIS_URL: '' };
    const args = ['--disable-warning=ExperimentalWarning', 'test/restore/main.ts', '--seconds', '4'];
    const done = promisify(execFile)(process.execPath, args, { cwd: repositoryFolder, env, timeout: 500_000 });
    await expect(done).resolves.toMatchObject({ stdout: expect.stringContaining('all of it is right') });
  }, 600_000);
});
