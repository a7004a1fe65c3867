import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import { type Database, openPatiently, type Sql, sql } from '@cobro/postgres/database.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { foldOldestChanges } from './payment-tally.store.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await testDatabase('reporting');
  db = openPatiently({ url: database.url, schema: 'reporting' });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const CHANGES = 2_000;
const insertChanges = () =>
  db.run(sql`
    insert into payment_change (organization_id, day, status, type, terms, issuing_bank, change)
    select ${newId()}, date '2026-11-22', 'CONFIRMED', 'CARD_PRESENT', 1, 'BBVA', 1 from generate_series(1, ${CHANGES}::int)`);

interface PlanNode {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Join Filter'?: number;
  Plans?: PlanNode[];
}

const rowsIn = (node: PlanNode): number =>
  node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Join Filter'] ?? 0)) +
  (node.Plans ?? []).reduce((sum, below) => sum + rowsIn(below), 0);

test('many changes that come at once are looked at a few times each, though their table was empty when it was last analyzed', async () => {
  await insertChanges();
  await db.run(sql`delete from payment_change`);
  const admin = openPatiently({ url: database.adminUrl, schema: 'reporting' });
  // Leaves the table as autovacuum does during a read of it: with all its pages.
  await admin.run(sql`vacuum (analyze, truncate off) payment_change`);
  await admin.close();
  const asked: Sql[] = [];
  await db.inTransaction((tx) => {
    const one: typeof tx.one = (statement) => {
      asked.push(statement);
      return tx.one(statement);
    };
    return foldOldestChanges({ ...tx, one }, CHANGES);
  });
  const fold = asked.find(({ text }) => text.includes('delete from payment_change'));
  if (fold === undefined) throw new Error('nothing was folded');
  await insertChanges();

  const plan = await db.one<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(sql`explain (analyze, format json) ${fold}`);

  expect(rowsIn(plan['QUERY PLAN'][0].Plan)).toBeLessThan(50 * CHANGES);
  expect(await db.one(sql`select sum(payments)::int as payments from payment_tally where span = 'month'`)).toEqual({
    payments: CHANGES,
  });
});
