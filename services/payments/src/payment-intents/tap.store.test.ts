import { newId } from '@cobro/contracts/ids.ts';
import { type Database, openDatabase, sql } from '@cobro/postgres/database.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { countingVainTry, listDueTaps } from './tap.store.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await testDatabase('payments');
  db = openDatabase({ url: database.url, schema: 'payments', max: 1 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

/** Inserts taps that have waited this long for the next try. */
const insertTaps = (acquirer: string, count: number, waitedSeconds: number) =>
  db.run(sql`
    with paid as (
      insert into payment (id, organization_id, payment_intent_id, type, source, status, hold_funds, amount, currency, card, created_at, acquirer)
      select gen_random_uuid(), ${newId()}, gen_random_uuid(), 'CARD_PRESENT', 'PAYMENT_INTENT', 'NOT_INITIALIZED', false, 100, 'MXN', '{}', now(),
        ${acquirer}
      from generate_series(1, ${count}::int) returning id
    )
    insert into tap (payment_id, sealed_card, charge_before, try_at)
    select id, '', now(), now() - ${waitedSeconds} * interval '1 second' from paid`);

test('taps of an acquirer that is not known are listed by themselves, and keep no tap of a known one from being tried', async () => {
  await insertTaps('gone', 3, 60);
  await insertTaps('other', 2, 30);
  await insertTaps('default', 1, 0);
  const listed = async (acquirer: string | undefined) => {
    const due = await listDueTaps(db, { acquirer, known: ['default', 'other'], limit: 2 });
    return due.map((tap) => tap.acquirer);
  };
  expect(await listed('default')).toEqual(['default']);
  expect(await listed('other')).toEqual(['other', 'other']);
  expect(await listed(undefined)).toEqual(['gone', 'gone']);
});

test('a tap for which a process could ask no bank is due for all others, and keeps no tap from being tried', async () => {
  await insertTaps('refusing', 3, 10);
  const due = (limit: number) => listDueTaps(db, { acquirer: 'refusing', known: ['refusing'], limit });
  const all = (await due(5)).map(({ paymentId }) => paymentId);
  expect(all).toHaveLength(3);
  for (const id of all) await db.run(countingVainTry(id));
  const tried = sql`select distinct tries from tap where payment_id = any(${all}::uuid[])`;
  expect(await db.many(tried)).toEqual([{ tries: 1 }]);
  const had = new Set<string>();
  await until('each has had its turn', async () => {
    for (const { paymentId } of await due(1)) had.add(paymentId);
    return had.size === 3;
  });
});
