import '@cobro/testing/check-answers.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import { type Database, sql } from '@cobro/postgres/database.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { merchant, organizationEvent, partner } from '@cobro/testing/test-facts.ts';
import { testInFull } from '@cobro/testing/test-in-full.ts';
import { insertManyPayments } from './test-many-payments.ts';
import { startReporting } from './reporting-under-test.ts';

let database: TestDatabase;
let reporting: Awaited<ReturnType<typeof startReporting>>;
const shop = { organizationId: newId(), name: 'Panadería', partnerId: newId() };

beforeAll(async () => {
  database = await testDatabase('reporting');
  reporting = await startReporting(database.url);
  await reporting.receive(organizationEvent('OrganizationRegistered', 1, shop));
  await insertManyPayments(reporting.db, [shop.organizationId], { count: 300 });
  // Codes with many digits, as after years.
  await insertManyPayments(reporting.db, [shop.organizationId], { count: 3, firstCode: 2_000_000_000 });
});
afterAll(async () => {
  await reporting.close();
  await database.drop();
});

/** The largest number of prepared statements that one connection of the pool keeps. */
async function mostPrepared(pool: Database): Promise<number> {
  const counts = await Promise.all(
    Array.from({ length: 30 }, () =>
      pool.one<{ count: number }>(sql`select count(*)::int as count from pg_prepared_statements`),
    ),
  );
  return Math.max(...counts.map(({ count }) => count));
}

const aCode = (digits: number) => String(Math.floor(10 ** (digits - 1) + Math.random() * 9 * 10 ** (digits - 1)));

describe('a connection for reads keeps few statements prepared', () => {
  test('after 300 searches by operation codes, each by another number of codes of other lengths', async () => {
    for (let i = 0; i < 300; i++) {
      const codes = Array.from({ length: 1 + (i % 20) }, (_, n) => aCode(1 + ((n * 7 + i) % 14)));
      const query = codes.map((code) => `operationCode=${code}`).join('&');
      const { status } = await reporting.get(partner(shop.partnerId), `/developer/payment?${query}`);
      expect({ query, status }).toEqual({ query, status: 200 });
    }
    expect(await mostPrepared(reporting.reads.partners)).toBeLessThan(30);
  });

  testInFull('after every combination of the partner list’s filters', async () => {
    const kinds = ['status=CONFIRMED', 'type=CARD_PRESENT', 'financingMethod=PAY_NOW', 'terms=1', 'issuingBank=BBVA'];
    const others = [
      [
        '',
        'operationCode=1001',
        'operationCode=7&operationCode=10012',
        'search=pan',
        'operationCode=1001&search=15',
        `id=${newId()}`,
      ],
      ['', 'createdAtTo=2026-01-20&createdAtFrom=2026-01-03'],
    ] as const;
    for (const kind of combinationsOf(kinds)) {
      for (const code of others[0]) {
        for (const within of others[1]) {
          const query = [...kind, code, within].filter((part) => part !== '').join('&');
          const { status } = await reporting.get(partner(shop.partnerId), `/developer/payment?${query}`);
          expect({ query, status }).toEqual({ query, status: 200 });
        }
      }
    }
    expect(await mostPrepared(reporting.reads.partners)).toBeLessThan(40);
  });

  testInFull('after every combination of the developer list’s filters, with and without a cursor', async () => {
    const filters = [
      'status=CONFIRMED',
      'type=CARD_NOT_PRESENT',
      'createdAtFrom=2026-01-02',
      'createdAtTo=2027-01-20',
      'operationCode=100007',
      `paymentMethodId=${newId()}`,
      `oneTimePaymentId=${newId()}`,
      `paymentIntentId=${newId()}`,
    ];
    for (const parts of combinationsOf(filters)) {
      const path = `/developer/v1/payment?${['limit=2', ...parts].join('&')}`;
      const { status, body } = await reporting.get(merchant(shop.organizationId), path);
      expect({ path, status }).toEqual({ path, status: 200 });
      const { nextCursor } = body.pagination as { nextCursor: string | null };
      if (nextCursor === null) continue;
      const next = await reporting.get(merchant(shop.organizationId), `${path}&cursor=${nextCursor}`);
      expect({ path, status: next.status }).toEqual({ path, status: 200 });
    }
    expect(await mostPrepared(reporting.reads.merchants)).toBeLessThan(10);
  });
});

const combinationsOf = (parts: readonly string[]): string[][] =>
  parts.reduce<string[][]>((all, part) => [...all, ...all.map((some) => [...some, part])], [[]]);
