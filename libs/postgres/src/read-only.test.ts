import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { makeReadOnly, type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { type Database, openDatabase, type Sql, sql } from './database.ts';

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await testDatabase({ name: 'kept', migrations: [] });
});
beforeEach(async () => {
  db = openDatabase({ url: database.url, schema: 'kept' });
  await db.run(sql`create table if not exists account (id int primary key)`);
  await db.run(sql`truncate account`);
});
afterAll(() => database.drop());

const readOnly = () => {
  const { username, pathname } = new URL(database.url);
  return makeReadOnly(pathname.slice(1), decodeURIComponent(username));
};
const add = (id: number) => sql`insert into account (id) values (${id})`;
const refused = { name: 'DatabaseUnavailable', code: '25006' };

describe('a database that takes only reads', () => {
  test('is read, and says so; writes are refused as unavailable', async () => {
    expect(await db.ping()).toMatchObject({ readOnly: false });
    const restore = await readOnly();
    // The first statement notices that its session was ended.
    await db.ping().catch(() => {});
    expect(await db.ping()).toMatchObject({ readOnly: true });
    expect(await db.many(sql`select id from account`)).toEqual([]);
    await expect(db.run(add(1))).rejects.toMatchObject(refused);
    await expect(db.inTransaction((tx) => tx.run(add(1)))).rejects.toMatchObject(refused);
    const nobodyWaits = db.inTransaction(async (tx) => {
      tx.send(add(1));
      await tx.run(sql`select 1`);
    });
    await expect(nobodyWaits).rejects.toMatchObject(refused);
    await restore();
    await db.close();
  });

  /** Both replies come before anything is read, so the promise of the second may be rejected first. */
  const bothAtOnce = (first: Sql) =>
    db.inTransaction(async (tx) => {
      const asked = [tx.one(first), tx.maybe(sql`select 1`)];
      setTimeout(() => {
        for (const end = performance.now() + 100; performance.now() < end;);
      });
      await Promise.all(asked);
    });

  test('refuses a transaction by what failed first, and not by what failed because of it', async () => {
    await db.run(add(1));
    const restore = await readOnly();
    await db.ping().catch(() => {});
    await expect(bothAtOnce(sql`select id from account for update`)).rejects.toMatchObject(refused);
    await restore();
    await db.close();
  });

  test.each<[string, Sql, object]>([
    [
      'a row that stays locked',
      sql`select id from account for update nowait`,
      { name: 'DatabaseUnavailable', code: '55P03' },
    ],
    ['a bug of ours', sql`select 1 / 0`, { code: '22012' }],
  ])('does the same for %s', async (_name, first, expected) => {
    await db.run(add(1));
    const held = openDatabase({ url: database.url, schema: 'kept', max: 1 });
    await held.inTransaction(async (tx) => {
      await tx.run(sql`select id from account for update`);
      await expect(bothAtOnce(first)).rejects.toMatchObject(expected);
    });
    await Promise.all([held.close(), db.close()]);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['a transaction', () => db.inTransaction((tx) => tx.run(add(1)))],
    ['a statement', () => db.run(add(1))],
  ])('and then takes writes again takes the very next one, in %s, on whatever old session', async (_name, write) => {
    const restore = await readOnly();
    await db.ping().catch(() => {});
    // All of the pool's sessions begin now, and each will refuse writes as long as it lives.
    const held = Promise.withResolvers<void>();
    const all = Array.from({ length: 15 }, () =>
      db.inTransaction(async (tx) => {
        await tx.run(sql`select 1`);
        await held.promise;
      }),
    );
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    held.resolve();
    await Promise.all(all);
    await restore();
    await write();
    expect(await db.ping()).toMatchObject({ readOnly: false });
    expect(await db.many(sql`select id from account`)).toEqual([{ id: 1 }]);
    await db.close();
  });
});

test('a connection that is refused is no fault of the statement: the role, its password, the database', async () => {
  const unknown = new URL(database.url);
  unknown.pathname = '/nowhere';
  const nowhere = openDatabase({ url: unknown.href, schema: 'kept' });
  await expect(nowhere.run(add(1))).rejects.toMatchObject({ name: 'DatabaseUnavailable', code: '3D000' });
  await nowhere.close();
  await db.close();
});
