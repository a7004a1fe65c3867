import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Database, openPatiently, sql } from '@cobro/postgres/database.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import type { Operation } from './journal.store.ts';
import { bankMigrations } from './migrations.ts';
import { createSettlement, type Ending, type Settler } from './settle.ts';
import { claimForTest, createTestSubjects, noOutbox, type TestSubject, testSubject } from './test-subject.ts';

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

const settler: Settler<TestSubject> = {
  subject: testSubject,
  settle: ({ version }, _operation, ending) => ({
    changes: { version: version + 1, outcome: ending.outcome },
    events: [],
  }),
};
const claim = (): Promise<Operation> => claimForTest(db, { purpose: 'expire' }, 60_000);
const declined: Ending = {
  outcome: 'declined',
  declineCode: 'do_not_honor',
  reference: null,
  time: new Date(),
  authCode: null,
  resultCode: '05',
  text: 'DECLINADA',
};
const statusOf = async ({ id }: Operation) =>
  (await db.one<{ status: string }>(sql`select status from bank_operation where id = ${id}`)).status;

test('those that count in a row that somebody keeps locked leave connections to the others', async () => {
  await db.run(sql`create table hot (name text primary key, taken integer not null)`);
  await db.run(sql`insert into hot (name, taken) values ('hot', 12)`);
  const counter = {
    key: 'hot',
    locking: sql`select name from hot for no key update`,
    writing: sql`update hot set taken = taken - 1 where name = 'hot'`,
  };
  const counting: Settler<TestSubject> = {
    ...settler,
    settle: (...of) => ({ ...settler.settle(...of), counting: [counter] }),
  };
  // As many connections as the journal has for settling live calls.
  const five = openPatiently({ url: database.url, schema: 'bank', max: 5 });
  const settle = createSettlement({ outbox: noOutbox, handOver: async () => {} }, five);
  const hot = await Promise.all(Array.from({ length: 12 }, claim));
  const others = await Promise.all(Array.from({ length: 4 }, claim));
  try {
    let hasEnded = false;
    const waiting = await db.inTransaction(async (tx) => {
      await tx.many(sql`select name from hot for update`);
      const all = Promise.all(hot.map((operation) => settle(counting, operation, declined)));
      void all.then(() => (hasEnded = true));
      await Promise.all(others.map((operation) => settle(settler, operation, declined)));
      expect(hasEnded).toBe(false);
      return { all };
    });
    expect(await waiting.all).toHaveLength(12);
    for (const operation of [...hot, ...others]) expect(await statusOf(operation)).toBe('declined');
    expect(await db.one(sql`select taken from hot`)).toEqual({ taken: 0 });
  } finally {
    await five.close();
  }
});
