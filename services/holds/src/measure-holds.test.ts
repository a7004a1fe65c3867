import { newId } from '@cobro/contracts/ids.ts';
import { unset } from '@cobro/contracts/payment-fields.ts';
import { fixedPart } from '@cobro/contracts/payments.ts';
import { holdExpiresAt } from '@cobro/domain/hold-window.ts';
import { type Database, openDatabase, sql } from '@cobro/postgres/database.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { openTestMetrics } from '@cobro/testing/test-metrics.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { insertHold } from './hold.store.ts';
import { measureHolds } from './measure-holds.ts';

const metrics = openTestMetrics();
const NOON = new Date('2026-11-20T18:00:00Z');
const DAY_MS = 86_400_000;
let now = NOON;
let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await testDatabase('holds');
  db = openDatabase({ url: database.url, schema: 'holds', max: 2 });
});
afterAll(async () => {
  await metrics.stop();
  await db.close();
  await database.drop();
});

const place = (heldAt: Date) =>
  db.inTransaction(async (tx) =>
    insertHold(tx, {
      paymentId: newId(),
      organizationId: newId(),
      paymentMethodId: newId(),
      heldAmount: 100n,
      acquirer: 'default',
      bankReference: 'aut_1',
      rates: null,
      shown: fixedPart({ ...unset, currency: 'MXN', createdAt: heldAt }),
      heldAt,
      expiresAt: holdExpiresAt(heldAt),
      captureBefore: null,
    }),
  );
const valueOf = async (name: string) => (await metrics.readPatiently(name)).map(({ value }) => value);

test('open holds are counted by their days, and the sweep by what is due and for how long; all of it by the business clock', async () => {
  for (const daysAgo of [0, 0, 1, 6]) await place(new Date(NOON.getTime() - daysAgo * DAY_MS));
  await place(new Date(NOON.getTime() - 2 * DAY_MS));
  await db.run(
    sql`update hold set status = 'RELEASED', released_at = now() where held_at = ${new Date(NOON.getTime() - 2 * DAY_MS)}`,
  );
  measureHolds({ db, clock: { now: () => now } });
  const held = await metrics.readPatiently('cobro.holds.held');
  expect(held.flatMap(({ value, attributes }) => (value > 0 ? [{ value, ...attributes }] : []))).toEqual([
    { value: 1, days: '1' },
    { value: 1, days: '6' },
    { value: 2, days: '7' },
  ]);
  expect(held).toHaveLength(8);
  expect([await valueOf('cobro.holds.due'), await valueOf('cobro.holds.overdue.seconds')]).toEqual([[0], [0]]);

  // 90 s after 23:00 in Mexico City.
  now = new Date('2026-11-21T05:01:30Z');
  expect([await valueOf('cobro.holds.due'), await valueOf('cobro.holds.overdue.seconds')]).toEqual([[1], [90]]);

  // The bank has let go of a hold that was placed today, and said so at its capture two minutes ago.
  expect(await valueOf('cobro.holds.let_go')).toEqual([0]);
  const letGoAt = new Date(now.getTime() - 120_000);
  await db.run(sql`
    update hold set let_go_at = ${letGoAt}
    where payment_id = (select payment_id from hold where held_at = ${NOON} limit 1)`);
  const measured = ['cobro.holds.let_go', 'cobro.holds.due', 'cobro.holds.overdue.seconds'].map(valueOf);
  expect(await Promise.all(measured)).toEqual([[1], [2], [120]]);
});
