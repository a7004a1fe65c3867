import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '@cobro/testing/free-port.ts';
import { cardOf, spawnBank, type Body, type SpawnedBank } from './spawn-bank.ts';

let bank: SpawnedBank;
beforeAll(async () => {
  bank = await spawnBank(await freePort());
});
afterAll(() => bank.close());

test('the books list every operation once, oldest first, page by page', async () => {
  const card = randomUUID();
  const { token } = (await bank.post('/tokens', cardOf('approved'), card)).body;
  const keys = Array.from({ length: 24 }, () => randomUUID());
  for (const [index, key] of keys.entries()) {
    await bank.post('/sales', { token, amount: index + 1, currency: 'MXN' }, key);
  }
  const walked: Body[] = [];
  let query: string | undefined = 'limit=10';
  while (query !== undefined) {
    const { body } = await bank.call('GET', `/operations?${query}`);
    const { data, next } = body as { data: Body[]; next: string | null };
    walked.push(...data);
    query = next === null ? undefined : `limit=10&after=${next}`;
  }
  expect(walked.map((operation) => operation['idempotencyKey'])).toEqual([card, ...keys]);
  expect(walked.map((operation) => operation['amount'])).toEqual([null, ...keys.map((_, index) => index + 1)]);
  expect(walked[1]).toEqual({
    idempotencyKey: keys[0],
    kind: 'sale',
    amount: 1,
    terms: 1,
    outcome: 'approved',
    reference: expect.stringMatching(/^sal_/),
    createdAt: expect.stringMatching(/Z$/),
  });
});

test.each(['limit=0', 'limit=1001', 'after=x', 'before=1'])('a page asked for with %s is refused', async (query) => {
  const { status, body } = await bank.call('GET', `/operations?${query}`);
  expect({ status, error: body['error'] }).toEqual({ status: 400, error: 'bad_request' });
});
