import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { spawnBank, teller, type SpawnedBank } from './bank-under-test.ts';

let bank: SpawnedBank;
let say: ReturnType<typeof teller>;
beforeAll(async () => {
  bank = await spawnBank();
  say = teller(bank);
});
afterAll(() => bank.close());

test('an inquiry gives the recorded answer, approved or declined', async () => {
  for (const name of ['approved', 'declined'] as const) {
    const key = randomUUID();
    const { body } = await bank.post('/sales', { token: await say.token(name), amount: 100, currency: 'MXN' }, key);
    expect(await bank.inquire(key)).toEqual(body);
    expect(await bank.inquire(key, true)).toEqual(body);
  }
});

test('an inquiry without close leaves an unseen key usable', async () => {
  const key = randomUUID();
  expect(await bank.inquire(key)).toEqual({ outcome: 'not_found', closed: false });
  const asked = { token: await say.token(), amount: 100, currency: 'MXN' };
  expect((await bank.post('/sales', asked, key)).body).toMatchObject({ outcome: 'approved' });
});

test('a closed key is declined for ever, of whatever kind, also after a restart', async () => {
  const key = randomUUID();
  const authorization = await say.authorize(100);
  expect(await bank.inquire(key, true)).toEqual({ outcome: 'not_found', closed: true });
  expect(await bank.inquire(key, true)).toEqual({ outcome: 'not_found', closed: true });
  expect(await bank.inquire(key)).toEqual({ outcome: 'not_found', closed: true });
  const before = await bank.operations();
  const late = () => bank.post('/captures', { authorization: authorization['reference'], amount: 100 }, key);
  const refused = await late();
  expect(refused).toMatchObject({ status: 200, body: { outcome: 'declined', declineCode: 'key_closed' } });
  await bank.kill();
  await bank.start();
  expect(await late()).toEqual(refused);
  expect(await bank.inquire(key)).toEqual({ outcome: 'not_found', closed: true });
  expect(await bank.operations()).toEqual(before);
  expect(await say.capture(authorization, 100)).toMatchObject({ outcome: 'approved' });
});

test('closing and executing at once leaves one truth', async () => {
  const token = await say.token();
  for (let round = 0; round < 20; round += 1) {
    const key = randomUUID();
    const [asked, closed] = await Promise.all([
      bank.post('/sales', { token, amount: 100, currency: 'MXN' }, key),
      bank.inquire(key, true),
    ]);
    const moved = (await bank.operations()).some((operation) => operation['idempotencyKey'] === key);
    expect(asked.body['outcome']).toBe(moved ? 'approved' : 'declined');
    expect(closed['outcome']).toBe(moved ? 'approved' : 'not_found');
  }
});
