import { type Database, openPatiently, sql } from '@cobro/postgres/database.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Deps } from '../deps.ts';
import { announceLinks } from './announce-links.job.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await testDatabase('payments');
  db = openPatiently({ url: database.url, schema: 'payments' });
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

const insert = (status: string, count: number) =>
  db.run(sql`
    insert into one_time_payment (id, organization_id, request_digest, status, description, amount, currency, expires_at,
      allowed_terms, created_at, updated_at)
    select gen_random_uuid(), gen_random_uuid(), '', ${status}, 'Two nights in Oaxaca', 100, 'MXN', now() - interval '1 hour',
      '{1}', now(), now()
    from generate_series(1, ${count}::int)`);

test('of links that expire at once a batch is announced in a run, and those that are cancelled do not wait for them', async () => {
  const said: string[] = [];
  const outbox = { append: (_tx: unknown, { type }: { type: string }) => void said.push(type) };
  const deps = { db, clock: { now: () => new Date() }, outbox } as unknown as Deps;
  await insert('PENDING', 250);
  // A job whose run returns 0 waits for a second.
  expect([await announceLinks(deps), said.length]).toEqual([0, 100]);
  await insert('CANCELLED', 3);
  expect([await announceLinks(deps), said.length]).toEqual([0, 203]);
  await insert('CANCELLED', 100);
  expect([await announceLinks(deps), said.length]).toEqual([100, 353]);
});
