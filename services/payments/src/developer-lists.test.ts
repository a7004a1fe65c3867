import { sql } from '@cobro/postgres/database.ts';
import { refusal } from '@cobro/testing/refusal.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { type TestMerchant, testMerchant } from '@cobro/testing/test-merchant.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

interface Row {
  id: string;
  createdAt: string;
}
interface Page {
  data: Row[];
  pagination: { limit: number; hasMore: boolean; nextCursor: string | null };
}

const DAY_MS = 86_400_000;
let services: RunningServices;
let merchant: TestMerchant;
beforeAll(async () => {
  services = await startServices({ services: ['payments'] });
});
beforeEach(async () => {
  merchant = await testMerchant(services);
});
afterAll(() => services.stop());

const ask = (list: string, query: string, by = merchant) => by.call({ path: `/developer/v1/${list}?${query}` });
const page = async (list: string, query = '') => (await ask(list, query)).body as Page;
const ids = async (list: string, query = '') => (await page(list, query)).data.map(({ id }) => id);

async function make(body: object = {}): Promise<Row> {
  return (await merchant.call({ method: 'POST', path: '/product', body: { name: 'Talavera', price: 479, ...body } }))
    .body as Row;
}
async function several(count: number): Promise<Row[]> {
  const made: Row[] = [];
  while (made.length < count) made.unshift(await make());
  return made;
}
const archive = (id: string) =>
  merchant.call({ method: 'PATCH', path: `/product/${id}`, body: { status: 'ARCHIVED' } });

/** `meanwhile` happens after each page. */
async function walk(list: string, query: string, meanwhile = () => Promise.resolve<unknown>(undefined)) {
  const seen: string[] = [];
  for (let cursor = ''; ;) {
    const { data, pagination } = await page(list, `${query}${cursor}`);
    seen.push(...data.map(({ id }) => id));
    if (pagination.nextCursor === null) return seen;
    cursor = `&cursor=${pagination.nextCursor}`;
    await meanwhile();
  }
}

describe('/developer/v1/product', () => {
  test('shows what GET /product shows, newest first, by cursor and limit', async () => {
    const made = await several(5);
    expect(await page('product')).toEqual({
      data: made,
      pagination: { limit: 20, hasMore: false, nextCursor: null },
    });
    expect(await page('product', 'limit=2')).toMatchObject({
      data: made.slice(0, 2),
      pagination: { limit: 2, hasMore: true, nextCursor: expect.any(String) },
    });
    const [one] = made;
    expect((await merchant.call({ path: `/developer/v1/product/${one?.id}` })).body).toEqual(one);
  });

  test.each([1, 2, 3, 7])('a walk by pages of %d shows each once, and none that came meanwhile', async (limit) => {
    const made = await several(6);
    expect(await walk('product', `limit=${limit}`, make)).toEqual(made.map(({ id }) => id));
  });

  test('nor one that came meanwhile at an earlier time, because the clock was moved back', async () => {
    const made = await several(4);
    await services.moveClock(-DAY_MS);
    try {
      expect(await walk('product', 'limit=1', make)).toEqual(made.map(({ id }) => id));
      expect(await ids('product')).toHaveLength(7);
    } finally {
      await services.moveClock(DAY_MS);
    }
  });

  test('by one status or several, and one that changes during a walk comes once at most', async () => {
    const made = await several(6);
    const [first = '', second = '', third = ''] = made.map(({ id }) => id);
    await Promise.all([archive(first), archive(third)]);
    expect(await ids('product', 'status=ARCHIVED')).toEqual([first, third]);
    expect(await ids('product', 'status=ACTIVE&status=ARCHIVED&limit=4')).toEqual(made.slice(0, 4).map(({ id }) => id));
    expect(await walk('product', 'status=ACTIVE&status=ARCHIVED&limit=1', () => archive(second))).toEqual(
      made.map(({ id }) => id),
    );
  });

  test('between two times or days of creation, both included', async () => {
    const [old] = await several(1);
    await services.moveClock(2 * DAY_MS);
    const [fresh] = await several(1);
    const from = (time = '') => ids('product', `createdAtFrom=${time}`);
    const to = (time = '') => ids('product', `createdAtTo=${time}`);
    expect(await from(fresh?.createdAt)).toEqual([fresh?.id]);
    expect(await to(old?.createdAt)).toEqual([old?.id]);
    const [today = ''] = (fresh?.createdAt ?? '').split('T');
    expect(await ids('product', `createdAtTo=${today}&createdAtFrom=${old?.createdAt}`)).toContain(old?.id);
  });

  test.each(['limit=101', 'limit=0', 'limit=x', 'status=GONE', 'createdAtFrom=yesterday', 'page=1'])(
    'refuses %s',
    async (query) => {
      const answer = await ask('product', query);
      expect(answer).toMatchObject(refusal(400, 'VALIDATION_ERROR'));
      expect(Object.keys(answer.body as object).toSorted()).toEqual(['code', 'message']);
    },
  );

  test('a cursor is good for its organization, its list and its filters alone', async () => {
    await several(2);
    const { nextCursor } = (await page('product', 'limit=1&status=ACTIVE')).pagination;
    expect(await ask('product', `limit=1&status=ACTIVE&status=ACTIVE&cursor=${nextCursor}`)).toMatchObject({
      status: 200,
    });
    const another = await testMerchant(services);
    for (const refused of [
      ask('product', `status=ACTIVE&cursor=${nextCursor}`, another),
      ask('product', `cursor=${nextCursor}`),
      ask('product', `status=ACTIVE&createdAtFrom=2026-01-01&cursor=${nextCursor}`),
      ask('payment-method', `status=ACTIVE&cursor=${nextCursor}`),
      ask('product', 'cursor=abc'),
    ]) {
      expect(await refused).toMatchObject(refusal(400, 'INVALID_CURSOR'));
    }
  });
});

describe('/developer/v1/payment-method', () => {
  test('shows what GET /payment-method shows, by cursor, status and creation', async () => {
    const [first, second] = [await merchant.saveCard(), await merchant.saveCard('5200828282828210')];
    await merchant.call({ method: 'DELETE', path: `/payment-method/${first.id}` });
    const revoked = { ...first, status: 'REVOKED' };
    expect((await page('payment-method')).data).toEqual([second, revoked]);
    expect((await page('payment-method', 'status=REVOKED&status=EXPIRED')).data).toEqual([revoked]);
    expect(await walk('payment-method', 'limit=1', () => merchant.saveCard('378282246310005'))).toEqual([
      second.id,
      first.id,
    ]);
    expect((await merchant.call({ path: `/developer/v1/payment-method/${second.id}` })).body).toEqual(second);
    const stranger = await testMerchant(services);
    expect(await stranger.call({ path: `/developer/v1/payment-method/${second.id}` })).toMatchObject(
      refusal(404, 'PAYMENT_METHOD_NOT_FOUND'),
    );
  });

  test('has cards from before the lists by cursor, and derives EXPIRED from the clock', async () => {
    const old = await merchant.saveCard();
    await merchant.saveCard('5200828282828210');
    await services.db('payments').run(sql`
      update payment_method set listed_at = null, expiration_year = 2020 where id = ${old.id}`);
    const expired = { ...old, status: 'EXPIRED' };
    expect((await page('payment-method', 'status=EXPIRED')).data).toEqual([expired]);
    expect(await walk('payment-method', 'limit=1')).toContain(old.id);
    expect(await ids('payment-method', 'status=ACTIVE')).not.toContain(old.id);
  });
});
