import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cardOf, spawnBank, teller, type SpawnedBank } from './bank-under-test.ts';

let bank: SpawnedBank;
let say: ReturnType<typeof teller>;
beforeAll(async () => {
  bank = await spawnBank();
  say = teller(bank);
});
afterAll(() => bank.close());

const booked = async (key: string) =>
  (await bank.operations()).filter((operation) => operation['idempotencyKey'] === key);

describe('the same key', () => {
  test.each(['/authorizations', '/sales'])(
    'asked 50 times at once at %s moves once and gets one answer',
    async (path) => {
      const key = randomUUID();
      const asked = { token: await say.token(), amount: 100, currency: 'MXN' };
      const answers = await Promise.all(Array.from({ length: 50 }, () => bank.post(path, asked, key)));
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
      expect(answers[0]).toMatchObject({ status: 200, body: { outcome: 'approved' } });
      expect(await booked(key)).toHaveLength(1);
    },
  );
  test('refunds once', async () => {
    const sale = await say.sell(100);
    const key = randomUUID();
    const ask = () => bank.post('/refunds', { original: sale['reference'], amount: 60 }, key);
    const answers = await Promise.all([ask(), ask(), ask()]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await ask()).toEqual(answers[0]);
    expect(await say.refund(sale, 40)).toMatchObject({ outcome: 'approved' });
  });
  test('repeats a decline as well', async () => {
    const key = randomUUID();
    const asked = { token: await say.token('insufficientFunds'), amount: 100, currency: 'MXN' };
    const first = await bank.post('/sales', asked, key);
    expect(first.body).toMatchObject({ outcome: 'declined' });
    expect(await bank.post('/sales', asked, key)).toEqual(first);
  });
  test('gives the same token for the same card', async () => {
    const key = randomUUID();
    const first = await bank.post('/tokens', cardOf('approved'), key);
    expect(await bank.post('/tokens', cardOf('approved'), key)).toEqual(first);
    expect(await booked(key)).toMatchObject([{ kind: 'tokenize', amount: null, outcome: 'approved' }]);
  });
  test('in other letters is the same key', async () => {
    const key = randomUUID();
    const asked = { token: await say.token(), amount: 100, currency: 'MXN' };
    expect(await bank.post('/sales', asked, key.toUpperCase())).toEqual(await bank.post('/sales', asked, key));
  });
  test('with another amount, kind, reference or card is refused', async () => {
    const token = await say.token();
    const key = randomUUID();
    await bank.post('/sales', { token, amount: 100, currency: 'MXN' }, key);
    const reused = { status: 422, body: expect.objectContaining({ error: 'key_reused' }) };
    expect(await bank.post('/sales', { token, amount: 101, currency: 'MXN' }, key)).toEqual(reused);
    expect(await bank.post('/authorizations', { token, amount: 100, currency: 'MXN' }, key)).toEqual(reused);
    expect(await bank.post('/sales', { token: 'tok_other', amount: 100, currency: 'MXN' }, key)).toEqual(reused);
    const card = randomUUID();
    await bank.post('/tokens', cardOf('approved'), card);
    expect(await bank.post('/tokens', cardOf('declined'), card)).toEqual(reused);
    expect(await booked(key)).toHaveLength(1);
  });
});

describe('while a slow operation is on its way', () => {
  test('duplicates wait for its answer, an inquiry says in_progress, and its key cannot be closed', async () => {
    const key = randomUUID();
    const asked = { token: await say.token('slow'), amount: 100, currency: 'MXN' };
    const began = Date.now();
    const first = bank.post('/authorizations', asked, key);
    while ((await bank.inquire(key))['outcome'] === 'not_found') continue;
    expect(await bank.inquire(key, true)).toEqual({ outcome: 'in_progress' });
    expect(await booked(key)).toEqual([]);
    expect((await bank.post('/sales', asked, key)).status).toBe(422);
    const duplicates = await Promise.all([bank.post('/authorizations', asked, key), first]);
    expect(Date.now() - began).toBeGreaterThanOrEqual(1_990);
    expect(duplicates[0]).toEqual(duplicates[1]);
    expect(duplicates[0]?.body).toMatchObject({ outcome: 'approved' });
    expect(await booked(key)).toHaveLength(1);
    expect(await bank.inquire(key, true)).toEqual(duplicates[0]?.body);
  });
  test('a caller that goes away does not stop it', async () => {
    const key = randomUUID();
    const asked = { token: await say.token('slow'), amount: 100, currency: 'MXN' };
    await bank.call('PUT', '/faults', { slowMs: 5_000 });
    await expect(bank.post('/sales', asked, key, 1_500)).rejects.toThrow(/timeout/);
    expect(await bank.inquire(key)).toEqual({ outcome: 'in_progress' });
    expect(await bank.post('/sales', asked, key)).toMatchObject({ body: { outcome: 'approved' } });
    await bank.call('DELETE', '/faults');
  });
});

describe('a bad request', () => {
  const key = { 'idempotency-key': randomUUID() };
  test.each<[string, unknown, Record<string, string>, RegExp]>([
    ['no key', { token: 'tok_a', amount: 1, currency: 'MXN' }, {}, /idempotency-key/],
    [
      'a key that is no uuid',
      { token: 'tok_a', amount: 1, currency: 'MXN' },
      { 'idempotency-key': 'x' },
      /idempotency-key/,
    ],
    ['an amount of zero', { token: 'tok_a', amount: 0, currency: 'MXN' }, key, /amount/],
    ['half a centavo', { token: 'tok_a', amount: 0.5, currency: 'MXN' }, key, /amount/],
    ['another currency', { token: 'tok_a', amount: 1, currency: 'USD' }, key, /currency/],
    ['an unknown field', { token: 'tok_a', amount: 1, currency: 'MXN', ammount: 2 }, key, /ammount/],
    ['no body', undefined, key, /./],
    ['a large body', { token: 'x'.repeat(70_000) }, key, /64 KiB/],
  ])('with %s is refused and leaves no trace', async (_, body, headers, message) => {
    const before = await bank.operations();
    const answer = await bank.call('POST', '/v1/sales', body, headers);
    expect(answer.status).toBe(body !== undefined && JSON.stringify(body).length > 65_536 ? 413 : 400);
    const error = answer.status === 413 ? 'too_large' : 'bad_request';
    expect(answer.body).toEqual({ error, message: expect.stringMatching(message) });
    expect(await bank.operations()).toEqual(before);
  });
  test('to a route that is not there answers 404', async () =>
    expect((await bank.call('POST', '/nothing', {})).status).toBe(404));
});
