import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import type { FeeChannelRow } from './fees/fee-channel.store.ts';

const ORGANIZATION = '0199c1d2-0000-7000-8000-000000000001';
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase('payments');
});
afterAll(() => database.drop());

interface Ended {
  code: number;
  channels: FeeChannelRow[];
  stderr: string;
}

async function admin(...args: string[]): Promise<Ended> {
  const command = ['--disable-warning=ExperimentalWarning', resolve(import.meta.dirname, 'admin.ts'), ...args];
  const env = { DATABASE_URL: database.url };
  const ended = await promisify(execFile)(process.execPath, command, { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
  const lines = ended.stdout.split('\n').filter(Boolean);
  return { code: ended.code, channels: lines.map((line) => JSON.parse(line) as FeeChannelRow), stderr: ended.stderr };
}

test('fees are set, listed, changed and removed, per organization', async () => {
  const [organization, other] = [newId(), newId()];
  const fees = (verb: string, ...args: string[]) => admin('fees', verb, '--organization', organization, ...args);
  expect((await admin('fees', 'default', '--organization', other)).channels).toHaveLength(10);
  const visa = ['--network', 'VISA', '--funding', 'CREDIT', '--terms', '3'];
  const { channels } = await fees('set', ...visa, '--fee', '4.25', '--discount', '1', '--take', '0.05');
  expect(channels).toEqual([
    {
      type: 'CARD_NOT_PRESENT',
      network: 'VISA',
      fundingSource: 'CREDIT',
      terms: 3,
      feeBps: 425,
      promotionFeeDiscountBps: 100,
      promotionBusinessTakeBps: 5,
    },
  ]);
  expect((await fees('set', ...visa, '--fee', '3')).channels).toMatchObject([
    { feeBps: 300, promotionFeeDiscountBps: 0 },
  ]);
  expect((await fees('set', '--fee', '0')).channels).toHaveLength(2);
  expect((await fees('remove')).channels).toMatchObject([{ network: 'VISA' }]);
  expect((await fees('list')).channels).toMatchObject([{ network: 'VISA' }]);
});

test.each([
  [[], 'fees: must be'],
  [['fees', 'list'], '--organization'],
  [['fees', 'burn', '--organization', ORGANIZATION], 'fees: must be'],
  [['fees', 'set', '--organization', ORGANIZATION], '--fee'],
  [['fees', 'set', '--organization', ORGANIZATION, '--fee', '3.555'], '--fee'],
  [['fees', 'set', '--organization', ORGANIZATION, '--fee', '-1'], '--fee'],
  [['fees', 'set', '--organization', ORGANIZATION, '--fee', '3', '--discount', '4'], '--discount'],
  [['fees', 'set', '--organization', ORGANIZATION, '--fee', '3', '--terms', '0'], '--terms'],
  [['fees', 'set', '--organization', ORGANIZATION, '--fees', '3'], '--fees'],
])('%j is refused with what is wrong', async (args, named) => {
  const { code, stderr, channels } = await admin(...args);
  expect(code).toBe(2);
  expect(stderr).toContain(named);
  expect(stderr).toContain('fees default --organization ID');
  expect(stderr).not.toMatch(/^ +at /m);
  expect(channels).toEqual([]);
});
