import '@cobro/testing/check-answers.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import { sql } from '@cobro/postgres/database.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { until } from '@cobro/testing/until.ts';
import { about, merchant, organizationEvent, partner, paymentFacts } from '@cobro/testing/test-facts.ts';
import { insertManyPayments, newestFirst, type Raw, readRaw } from './test-many-payments.ts';
import { startReporting } from './reporting-under-test.ts';

let database: TestDatabase;
let reporting: Awaited<ReturnType<typeof startReporting>>;
let rows: Raw[];

const COUNT = 10_400;
const giant = { organizationId: newId(), name: 'Tiendas Gigante', partnerId: newId() };

beforeAll(async () => {
  database = await testDatabase('reporting');
  reporting = await startReporting(database.url);
  await reporting.receive(organizationEvent('OrganizationRegistered', 1, giant));
  // All of these codes contain 1230.
  await insertManyPayments(reporting.db, [giant.organizationId], { count: COUNT, firstCode: 1_230_000_000 });
  rows = newestFirst(await readRaw(reporting.db));
});
afterAll(async () => {
  await reporting.close();
  await database.drop();
});

const ask = (query: string) => reporting.ask(partner(giant.partnerId), `/developer/payment?${query}`);

describe('a search with more than 10,000 matches', () => {
  test.each(['operationCode=1230', 'operationCode=12300', 'search=gigante', 'operationCode=1230&search=tiendas'])(
    '%s counts 10000, says that there are more, and shows each page that begins within them',
    async (query) => {
      for (const offset of [0, 60, 5_000, 10_000]) {
        const { status, body, headers } = await ask(`${query}&limit=5&offset=${offset}`);
        const shown = rows.slice(offset, offset + 5).map(({ id }) => id);
        expect({ status, capped: headers.get('x-count-capped') }).toEqual({ status: 200, capped: 'true' });
        expect(body.pagination.count).toBe(10_000);
        expect(body.data.map(({ id }: { id: string }) => id)).toEqual(shown);
      }
    },
  );

  test.each([1, 5])('in a range that ends before the newest shows payments of the range, %s a page', async (limit) => {
    const ends = '2028-07-20T00:00:00Z';
    const { body, headers } = await ask(`operationCode=1230&createdAtTo=${ends}&limit=${limit}`);
    const within = rows.filter(({ createdAt }) => createdAt <= new Date(ends));
    expect(within.length).toBeLessThan(COUNT);
    expect({ count: body.pagination.count, capped: headers.get('x-count-capped') }).toEqual({
      count: 10_000,
      capped: 'true',
    });
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(within.slice(0, limit).map(({ id }) => id));
  });

  test.each(['operationCode=1230', 'search=gigante'])('%s refuses an offset behind them with 400', async (query) => {
    const { status, body } = await ask(`${query}&offset=10001`);
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    expect(body.message).toContain('offset');
  });
});

test('a list without a search counts all, without the header, at any offset', async () => {
  const { status, body, headers } = await ask(`limit=5&offset=${COUNT - 3}`);
  expect({ status, capped: headers.get('x-count-capped') }).toEqual({ status: 200, capped: null });
  expect(body.pagination.count).toBe(COUNT);
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual(rows.slice(-3).map(({ id }) => id));
});

describe('while searches of a partner take all connections that searches have', () => {
  test('events are applied and merchants read; a further search is refused with 503', async () => {
    const over = Promise.withResolvers<void>();
    let underWay = 0;
    const searches = Promise.all(
      Array.from({ length: 6 }, () =>
        reporting.reads.partners.inTransaction(async (tx) => {
          await tx.one(sql`select 1 as one`);
          underWay++;
          await over.promise;
        }),
      ),
    );
    await until('all connections are taken', () => underWay === 6);
    const refused = await ask('limit=1');
    const facts = paymentFacts({
      organizationId: giant.organizationId,
      createdAt: new Date('2030-01-01T00:00:00.000Z'),
    });
    await reporting.receive(about('PaymentConfirmed', { ...facts, confirmedAt: facts.createdAt }));
    const { body } = await reporting.get(merchant(giant.organizationId), '/developer/v1/payment?limit=1');
    expect(body.data[0].id).toBe(facts.paymentId);
    expect(refused.status).toBe(503);
    over.resolve();
    await searches;
  });

  test('a search that takes too long is ended', async () => {
    await expect(reporting.reads.partners.run(sql`select pg_sleep(4)`)).rejects.toMatchObject({
      name: 'DatabaseUnavailable',
      code: '57014',
    });
  });
});
