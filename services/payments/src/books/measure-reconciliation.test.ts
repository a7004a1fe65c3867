import type { Reconciliation } from '@cobro/books/reconcile-day.ts';
import { type Database, openDatabase, sql } from '@cobro/postgres/database.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { openTestMetrics } from '@cobro/testing/test-metrics.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { measureReconciliation } from './measure-reconciliation.ts';
import { keepCounterReconciliation } from './counter-book.store.ts';
import { keepReconciliation, keepUnlessCompared, listComparedBooks } from './reconciliation.store.ts';

const metrics = openTestMetrics();
let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await testDatabase('payments');
  db = openDatabase({ url: database.url, schema: 'payments', max: 1 });
  measureReconciliation(db, ['default', 'other']);
});
afterAll(async () => {
  await metrics.stop();
  await db.close();
  await database.drop();
});

const measured = async (name: string): Promise<number[]> =>
  (await metrics.readPatiently(`cobro.reconciliation.${name}`)).map(({ value }) => value);

const found = (day: string, differences: number): Reconciliation => ({
  day,
  asOf: new Date(),
  operations: 10,
  payments: 9,
  differences,
  byKind: {},
  open: 0,
  recent: 0,
  listed: [],
});

test('a gauge shows the differences of the latest day, and another how long ago it was compared', async () => {
  for (const name of ['differences', 'age.seconds']) {
    expect(await metrics.read(`cobro.reconciliation.${name}`)).toEqual([]);
  }
  await keepReconciliation(db, 'default', found('2026-11-20', 3));
  await keepReconciliation(db, 'default', found('2026-11-19', 0));
  expect(await measured('differences')).toEqual([3]);
  await db.run(sql`update acquirer_reconciliation set finished_at = finished_at - interval '1 hour'`);
  expect((await measured('age.seconds'))[0]).toBeGreaterThanOrEqual(3_600);
});

test('a day that is compared again has its new outcome, and its new age', async () => {
  await keepReconciliation(db, 'default', found('2026-11-20', 0));
  expect(await measured('differences')).toEqual([0]);
  expect((await measured('age.seconds'))[0]).toBeLessThan(3_600);
});

test('another gauge shows how many counters were wrong on the latest day', async () => {
  const gauge = 'cobro.counters.reconciliation.differences';
  const wrong = async () => (await metrics.readPatiently(gauge)).map(({ value }) => value);
  expect(await metrics.read(gauge)).toEqual([]);
  await keepCounterReconciliation(db, { day: '2026-11-20', differences: 2 });
  await keepCounterReconciliation(db, { day: '2026-11-19', differences: 0 });
  expect(await wrong()).toEqual([2]);
  await keepCounterReconciliation(db, { day: '2026-11-20', differences: 0 });
  expect(await wrong()).toEqual([0]);
});

const byAcquirer = async (name: string) =>
  Object.fromEntries(
    (await metrics.readPatiently(`cobro.reconciliation.${name}`)).map(({ value, attributes }) => [
      Object.values(attributes)[0],
      value,
    ]),
  ) as Record<string, number>;

test('each acquirer has its own; one that the deployment does not name any more has its differences only', async () => {
  await keepReconciliation(db, 'other', found('2026-11-18', 2));
  await keepReconciliation(db, 'left', { day: '2026-11-20', differences: 7, notCompared: 'nobody can' });
  expect(await byAcquirer('differences')).toEqual({ default: 0, other: 2, left: 7 });
  expect(Object.keys(await byAcquirer('age.seconds')).toSorted()).toEqual(['default', 'other']);
  await keepReconciliation(db, 'left', found('2026-11-20', 0));
  expect(await byAcquirer('differences')).toEqual({ default: 0, other: 2, left: 0 });
});

test('a day that could not be compared has its differences, and leaves the age of the day before', async () => {
  await db.run(sql`update acquirer_reconciliation set finished_at = finished_at - interval '1 hour'`);
  const silent = (day: string) => keepUnlessCompared(db, 'other', { day, differences: 5, notCompared: 'no report' });
  await silent('2026-11-18');
  expect(await byAcquirer('differences')).toMatchObject({ other: 2 });
  await silent('2026-11-19');
  await silent('2026-11-19');
  expect(await byAcquirer('differences')).toMatchObject({ other: 5 });
  expect((await byAcquirer('age.seconds'))['other']).toBeGreaterThanOrEqual(3_600);
  await keepReconciliation(db, 'other', found('2026-11-19', 0));
  expect(await byAcquirer('differences')).toMatchObject({ other: 0 });
  expect((await byAcquirer('age.seconds'))['other']).toBeLessThan(3_600);
});

test('the list goes back from the last day of each', async () => {
  await keepReconciliation(db, 'behind', found('2026-10-02', 1));
  await keepReconciliation(db, 'behind', found('2026-10-01', 0));
  const listed = await listComparedBooks(db, 2);
  expect(listed.map(({ of, day }) => `${day} ${of}`)).toEqual([
    '2026-11-20 counters',
    '2026-11-20 default',
    '2026-11-20 left',
    '2026-11-19 counters',
    '2026-11-19 default',
    '2026-11-19 other',
    '2026-11-18 other',
    '2026-10-02 behind',
    '2026-10-01 behind',
  ]);
});
