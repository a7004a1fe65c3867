import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cardOf, spawnBank, teller, type Body, type SpawnedBank } from './bank-under-test.ts';

let bank: SpawnedBank;
beforeAll(async () => {
  bank = await spawnBank();
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

test('the settlement report has what moves money on one natural day in Mexico City, by keys, page by page', async () => {
  const { token, authorize, capture, sell, refund } = teller(bank);
  const [noon, night] = ['2031-03-05T18:00:00.000Z', '2031-03-06T05:59:59.000Z'].map((time) => Date.parse(time));
  await bank.moveClock(Number(noon) - Date.now());
  await token();
  const sold = await sell(500);
  await bank.moveClock(Number(night) - Date.now());
  await sell(700, 'declined');
  const authorization = await authorize(400);
  await capture(authorization, 300);
  await refund(sold, 200);
  await bank.moveClock(Number(night) + 1_000 - Date.now());
  await sell(400);

  const walked: Body[] = [];
  for (let after = ''; ;) {
    const { body } = await bank.call('GET', `/v1/settlement-report?day=2031-03-05&limit=2${after}`);
    expect(body['asOf']).toMatch(/^2031-03-06T06:00/);
    walked.push(...(body['data'] as Body[]));
    if (body['next'] === null) break;
    after = `&after=${body['next'] as string}`;
  }
  const keys = walked.map(({ id }) => id as string);
  expect(keys).toEqual(keys.toSorted((a, b) => (a < b ? -1 : 1)));
  const movements = walked.map(({ kind, gross, currency }) => [kind, gross, currency].join(' '));
  expect(new Set(movements)).toEqual(new Set(['refund -200 MXN', 'charge 500 MXN', 'charge 300 MXN']));
  expect(movements).toHaveLength(3);
});

test('a dispute is reported on its day, between the other movements by its id, and only of money that the bank has taken', async () => {
  const { token, sell } = teller(bank);
  await bank.moveClock(Date.parse('2031-04-05T18:00:00.000Z') - Date.now());
  await token();
  await sell(500);
  const [sale] = ((await bank.call('GET', '/v1/settlement-report?day=2031-04-05')).body as { data: Body[] }).data;
  const about = sale?.['id'];
  for (const wrong of [{ about, amount: 501 }, { about: randomUUID(), amount: 1 }, { about }]) {
    expect(await bank.call('POST', '/disputes', wrong)).toMatchObject({ status: 400 });
  }
  await bank.moveClock(Date.parse('2031-04-06T18:00:00.000Z') - Date.now());
  expect(await bank.call('POST', '/disputes', { about, amount: 500 })).toMatchObject({ status: 200 });
  await sell(300);
  const walked: Body[] = [];
  for (let after = ''; ;) {
    const { body } = await bank.call('GET', `/v1/settlement-report?day=2031-04-06&limit=1${after}`);
    walked.push(...(body['data'] as Body[]));
    if (body['next'] === null) break;
    after = `&after=${body['next'] as string}`;
  }
  const moved = walked.map(({ kind, gross, about: of }) => ({ kind, gross, about: of }));
  expect(moved).toHaveLength(2);
  expect(moved).toContainEqual({ kind: 'dispute', gross: -500, about });
});

test.each(['', 'day=2031-02-30', 'day=today', 'day=2031-03-05&limit=0'])(
  'a settlement report asked for with “%s” is refused',
  async (query) => {
    expect(await bank.call('GET', `/v1/settlement-report?${query}`)).toMatchObject({ status: 400 });
  },
);
