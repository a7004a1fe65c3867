import { metrics, type MeterProvider } from '@opentelemetry/api';
import type { Reconciliation } from '@cobro/books/reconcile-day.ts';
import { type Database, openDatabase, sql } from '@cobro/postgres/database.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { measureReconciliation } from './measure-reconciliation.ts';
import { keepReconciliation } from './reconciliation.store.ts';

type Read = (result: { observe: (value: number) => void }) => Promise<void>;
const gauges = new Map<string, Read>();
let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await testDatabase('payments');
  db = openDatabase({ url: database.url, schema: 'payments', max: 1 });
  const createObservableGauge = (name: string) => ({ addCallback: (read: Read) => gauges.set(name, read) });
  metrics.setGlobalMeterProvider({ getMeter: () => ({ createObservableGauge }) } as unknown as MeterProvider);
  measureReconciliation(db);
});
afterAll(async () => {
  metrics.disable();
  await db.close();
  await database.drop();
});

async function measured(name: string): Promise<number[]> {
  const values: number[] = [];
  await gauges.get(`cobro.reconciliation.${name}`)?.({ observe: (value) => values.push(value) });
  return values;
}

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

test('a gauge tells the differences of the latest day, and another how long ago it was compared', async () => {
  expect([await measured('differences'), await measured('age')]).toEqual([[], []]);
  await keepReconciliation(db, found('2026-11-20', 3));
  await keepReconciliation(db, found('2026-11-19', 0));
  expect(await measured('differences')).toEqual([3]);
  await db.run(sql`update reconciliation set finished_at = finished_at - interval '1 hour'`);
  expect((await measured('age'))[0]).toBeGreaterThanOrEqual(3_600);
});

test('a day that is compared again has its new outcome, and its new age', async () => {
  await keepReconciliation(db, found('2026-11-20', 0));
  expect(await measured('differences')).toEqual([0]);
  expect((await measured('age'))[0]).toBeLessThan(3_600);
});
