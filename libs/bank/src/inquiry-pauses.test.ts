import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Database, openPatiently, sql } from '@cobro/postgres/database.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { until } from '@cobro/testing/until.ts';
import { acquirersOf } from './acquirers.ts';
import { createInquiries } from './inquiries.ts';
import { makeInquiriesDue } from './journal.store.ts';
import { bankMigrations } from './migrations.ts';
import { claimForTest, createTestSubjects, noOutbox } from './test-subject.ts';

/** So long that more than half of it is left after any statement, even on a slow machine. */
const INQUIRE_AFTER_MS = 60_000;

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await testDatabase({ name: 'bank', migrations: [bankMigrations] });
  db = openPatiently({ url: database.url, schema: 'bank' });
  await createTestSubjects(db);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

/** An acquirer that never says what became of an operation. */
const silent = { ...acquirersOf({}).of('none'), inquire: async () => ({ outcome: 'unknown' as const }) };

const openInquiries = () =>
  createInquiries({
    acquirers: { names: ['default'], of: () => silent },
    db,
    inquireAfterMs: INQUIRE_AFTER_MS,
    settling: { outbox: noOutbox, handOver: async () => {} },
    settlers: {},
    notSettled: () => 'open',
  });

async function claimed() {
  const { id } = await claimForTest(db, { purpose: 'charge' }, INQUIRE_AFTER_MS);
  const { takeDue } = openInquiries();
  return {
    /** Makes the inquiry due. The column holds milliseconds, and a rounded time may lie in the future. */
    take: async () => {
      await db.run(sql`update bank_operation set inquire_at = clock_timestamp() - interval '1 ms' where id = ${id}`);
      const [operation, ...others] = await takeDue('default', 20);
      if (operation === undefined || others.length > 0) throw new Error('not this one alone was due');
      return operation;
    },
    msUntilDue: async () =>
      (
        await db.one<{ ms: number }>(sql`
          select extract(epoch from inquire_at - clock_timestamp())::float8 * 1000 as ms from bank_operation
          where id = ${id}`)
      ).ms,
  };
}

test('an operation is left to one inquiry for as long as that may take, and then for a pause that grows', async () => {
  const { inquire } = openInquiries();
  const { take, msUntilDue } = await claimed();
  for (const pauseMs of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 64_000]) {
    const operation = await take();
    expect(await msUntilDue()).toBeGreaterThan(INQUIRE_AFTER_MS / 2);
    expect(await inquire(operation)).toBe('open');
    const left = await msUntilDue();
    // The column holds whole milliseconds, rounded.
    expect(left).toBeLessThanOrEqual(pauseMs + 1);
    expect(left).toBeGreaterThan(pauseMs - INQUIRE_AFTER_MS / 2);
  }
});

test('an inquiry that ends after another one has begun does not shorten the time of that', async () => {
  const { inquire } = openInquiries();
  const { take, msUntilDue } = await claimed();
  const first = await take();
  await take();
  expect(await inquire(first)).toBe('open');
  expect(await msUntilDue()).toBeGreaterThan(INQUIRE_AFTER_MS / 2);
});

test('an inquiry that ends in vain after the bank has come back puts off nothing', async () => {
  const { inquire } = openInquiries();
  const { take, msUntilDue } = await claimed();
  const operation = await take();
  await makeInquiriesDue(db, 'default');
  await until('the operation is due', async () => (await msUntilDue()) <= 0);
  await inquire(operation);
  expect(await msUntilDue()).toBeLessThanOrEqual(0);
});
