import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { spawnBank, teller, type SpawnedBank } from './bank-under-test.ts';

let bank: SpawnedBank;
beforeEach(async () => {
  bank = await spawnBank();
});
afterEach(() => bank.close());

test('SIGKILL at any moment loses nothing that was answered and keeps every rule', async () => {
  const say = teller(bank);
  const token = await say.token();
  const authorization = await say.authorize(100);
  const answered = new Map<string, unknown>();
  const keys: string[] = [];
  // Each loop goes on until it gets no answer.
  const load = Array.from({ length: 50 }, async () => {
    for (;;) {
      const key = randomUUID();
      keys.push(key);
      const { body } = await bank.post('/sales', { token, amount: 100, currency: 'MXN' }, key);
      answered.set(key, body);
      if (answered.size === 100) await bank.kill();
    }
  });
  await Promise.allSettled(load);
  expect(answered.size).toBeLessThan(keys.length);
  await bank.start();
  for (const [key, body] of answered) expect(await bank.inquire(key)).toEqual(body);
  for (const key of keys) await bank.post('/sales', { token, amount: 100, currency: 'MXN' }, key);
  const booked = (await bank.operations()).map((operation) => operation['idempotencyKey']);
  expect(keys.filter((key) => booked.filter((other) => other === key).length !== 1)).toEqual([]);
  expect(await say.capture(authorization, 100)).toMatchObject({ outcome: 'approved' });
  await bank.kill();
  await bank.start();
  expect(await say.capture(authorization, 100)).toMatchObject({ declineCode: 'already_captured' });
});

test('a slow operation that the process died before is unknown afterwards', async () => {
  const key = randomUUID();
  const token = await teller(bank).token('slow');
  const asked = bank.post('/sales', { token, amount: 100, currency: 'MXN' }, key).catch(() => 'gone');
  while ((await bank.inquire(key))['outcome'] === 'not_found') continue;
  await bank.kill();
  expect(await asked).toBe('gone');
  await bank.start();
  expect(await bank.inquire(key)).toEqual({ outcome: 'not_found', closed: false });
});

test('the card fingerprint and the token of a key outlive the process', async () => {
  const key = randomUUID();
  const card = { number: '4242424242424242', expirationMonth: 1, expirationYear: 2040, cvc: '123', holderName: 'Ana' };
  const before = await bank.post('/tokens', card, key);
  await bank.kill();
  await bank.start();
  expect(await bank.post('/tokens', card, key)).toEqual(before);
  expect((await bank.post('/tokens', card)).body['fingerprint']).toBe(before.body['fingerprint']);
});

test('SIGTERM answers what is on its way, cuts what would never be answered, and ends with 0', async () => {
  const say = teller(bank);
  const silent = bank
    .post('/sales', { token: await say.token('silentNotDone'), amount: 100, currency: 'MXN' })
    .catch(String);
  const key = randomUUID();
  const slow = bank.post('/sales', { token: await say.token('slow'), amount: 100, currency: 'MXN' }, key);
  while ((await bank.inquire(key))['outcome'] === 'not_found') continue;
  expect(await bank.terminate()).toBe(0);
  // The caller's own timeout would have another message.
  expect(await silent).toMatch(/fetch failed/);
  expect((await slow).body).toMatchObject({ outcome: 'approved' });
  await bank.start();
  expect(await bank.inquire(key)).toMatchObject({ outcome: 'approved' });
});

test('a bad environment is one sentence and exit 78', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: { PORT: 'x' },
    encoding: 'utf8',
  });
  expect(status).toBe(78);
  expect(stderr).toMatch(/^[^\n]*PORT[^\n]*LEDGER_PATH[^\n]*\n$/);
});
