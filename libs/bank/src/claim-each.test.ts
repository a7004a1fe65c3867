import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import { type Database, openPatiently, sql } from '@cobro/postgres/database.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { closing, insertWhereNoneIsOpen } from './journal.store.ts';
import { bankMigrations } from './migrations.ts';
import { claimForTest, createTestSubjects } from './test-subject.ts';

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

const HOUR_MS = 3_600_000;
const claimOn = (subjectId: string) => claimForTest(db, { purpose: 'capture', subjectId }, HOUR_MS);

test('writes an operation down for each subject but those that have one open, and leaves it to its call', async () => {
  const [free, ended, busy] = [newId(), newId(), newId()];
  const earlier = await claimOn(ended);
  await db.run(closing(earlier.id, { outcome: 'declined' }));
  await claimOn(busy);

  const claims = { purpose: 'expire', subjectIds: [free, ended, busy] } as const;
  const claimed = await db.inTransaction((tx) => insertWhereNoneIsOpen(tx, claims, HOUR_MS));

  expect(new Set(claimed.map(({ subjectId }) => subjectId))).toEqual(new Set([free, ended]));
  const rows = await db.many(sql`
    select id, subject_id as "subjectId", purpose, amount, note, unanswered_at as "unansweredAt" from bank_operation
    where status = 'open' and purpose = 'expire' and inquire_at > clock_timestamp() + interval '50 minutes'`);
  expect(new Set(rows)).toEqual(new Set(claimed));
});
