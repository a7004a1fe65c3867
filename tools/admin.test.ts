import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';

// Where nothing listens: none of these commands gets as far as that.
const env = { DATABASE_URL: 'postgres://127.0.0.1:1/none', AMQP_URL: 'amqp://127.0.0.1:1' };

async function admin(args: string[]) {
  const file = join(import.meta.dirname, 'admin.ts');
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file, ...args], { env });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const [code] = (await once(child, 'close')) as [number];
  return { code, out, err };
}

describe('npm run admin', () => {
  test('shows how it is used', async () => {
    await expect(admin(['--help'])).resolves.toMatchObject({ code: 0, out: expect.stringContaining('keys create') });
  });

  test.each([
    [[]],
    [['nothing', 'list']],
    [['constructor']],
    [['parked']],
    [['parked', 'retry']],
    [['parked', 'show']],
  ])('does not guess what is meant by %j', async (args) => {
    await expect(admin(args)).resolves.toMatchObject({
      code: 64,
      out: '',
      err: expect.stringContaining('npm run admin'),
    });
  });

  test('names an option that does not exist', async () => {
    const answer = await admin(['parked', 'retry', '--everything']);
    expect(answer).toMatchObject({ code: 64, err: expect.stringContaining("Unknown option '--everything'") });
  });

  test('ends as the command of the service did', async () => {
    const answer = await admin(['keys', 'revoke', '--id', '1']);
    expect(answer).toMatchObject({ code: 64, err: expect.stringContaining('--id must be a UUID') });
  });
});
