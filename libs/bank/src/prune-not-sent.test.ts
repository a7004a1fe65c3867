import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Database, openPatiently, sql } from '@cobro/postgres/database.ts';
import { planOf } from '@cobro/testing/plan.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { bankMigrations } from './migrations.ts';
import { deleteNotSent, pruneNotSent } from './prune-not-sent.ts';

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await testDatabase({ name: 'bank', migrations: [bankMigrations] });
  db = openPatiently({ url: database.url, schema: 'bank' });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

/** Operations that ended `daysBefore` days ago. */
const settle = (status: string, daysBefore: number, count: number) =>
  db.run(sql`
    insert into bank_operation (id, purpose, subject_id, status, inquire_at, settled_at)
    select gen_random_uuid(), 'charge', gen_random_uuid(), ${status}, now(), now() - make_interval(days => ${daysBefore})
    from generate_series(1, ${count})`);

describe('pruning what was not sent', () => {
  test('reads only what goes, and leaves every other operation where it is', async () => {
    for (const status of ['approved', 'declined', 'not_processed']) await settle(status, 100, 20_000);
    await settle('not_sent', 8, 7_000);
    await settle('not_sent', 6, 10);
    await db.run(sql`analyze bank_operation`);
    const rollBack = new Error('only to see how');
    const looking = db.inTransaction(async (tx) => {
      const { nodes } = await planOf(tx, deleteNotSent(7));
      expect(nodes.join()).toContain('Index Scan bank_operation_not_sent');
      expect(nodes.join()).not.toContain('Seq Scan bank_operation');
      throw rollBack;
    });
    await expect(looking).rejects.toBe(rollBack);

    expect(await pruneNotSent(db, 7)).toBe(7_000);
    const left = await db.many(sql`
      select status, count(*)::int as count from bank_operation group by status order by status`);
    expect(left).toEqual([
      { status: 'approved', count: 20_000 },
      { status: 'declined', count: 20_000 },
      { status: 'not_processed', count: 20_000 },
      { status: 'not_sent', count: 10 },
    ]);
    expect(await pruneNotSent(db, 7)).toBe(0);
  });
});
