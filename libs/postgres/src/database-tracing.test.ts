import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import pg from 'pg';
import { type Database, openDatabase, sql } from './database.ts';

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await testDatabase({ name: 'traced', migrations: [] });
  db = openDatabase({ url: database.url, schema: 'traced' });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

/** Tracing knows a request by the context that the driver is called in. */
test('only what a transaction waits for is of the request', async () => {
  const request = new AsyncLocalStorage<string>();
  const { query } = pg.Client.prototype;
  const ofRequest: unknown[] = [];
  const spy = jest.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...args: unknown[]
  ) {
    const [statement] = args as [string | { text: string }];
    if (request.getStore() === 'a') ofRequest.push(typeof statement === 'string' ? statement : statement.text);
    return Reflect.apply(query, this, args) as never;
  });
  const work = () =>
    db.inTransaction(async (tx) => {
      tx.send(sql`select 'sent'`);
      await tx.one(sql`select 'awaited'`);
      tx.send(sql`select 'sent as well'`);
      return request.getStore();
    });
  const stillIn = await request.run('a', work);
  spy.mockRestore();
  expect(ofRequest).toEqual([`select 'awaited'`, 'commit']);
  expect(stillIn).toBe('a');
});
