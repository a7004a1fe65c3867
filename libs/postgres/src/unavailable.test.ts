import { freePort } from '@cobro/testing/free-port.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { databaseSentence } from './database-sentence.ts';
import { openDatabase, sql } from './database.ts';
import { isOfConnecting, rethrow } from './unavailable.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase({ name: 'kept', migrations: [] });
});
afterAll(() => database.drop());

describe('a database that is not available says what could not be done:', () => {
  test('connect, where nobody listens, or where the server takes no connection', async () => {
    const url = new URL(database.url);
    url.port = String(await freePort());
    const nobody = openDatabase({ url: url.href, schema: 'kept' });
    const expected = { name: 'DatabaseUnavailable', kind: 'connect' };
    await expect(nobody.run(sql`select 1`)).rejects.toMatchObject({ ...expected, code: 'ECONNREFUSED' });
    await expect(nobody.inTransaction((tx) => tx.run(sql`select 1`))).rejects.toMatchObject(expected);
    const nowhere = openDatabase({ url: new URL('/nowhere', database.url).href, schema: 'kept' });
    await expect(nowhere.run(sql`select 1`)).rejects.toMatchObject({ ...expected, code: '3D000' });
    await Promise.all([nobody.close(), nowhere.close()]);
  });

  test('pool, where all connections are taken', async () => {
    const db = openDatabase({ url: database.url, schema: 'kept', max: 1 });
    await db.inTransaction(async (tx) => {
      await tx.run(sql`select 1`);
      await expect(db.run(sql`select 1`)).rejects.toMatchObject({ name: 'DatabaseUnavailable', kind: 'pool' });
    });
    await db.close();
  });

  test('query, where a statement takes too long, also in a transaction', async () => {
    const db = openDatabase({ url: database.url, schema: 'kept', statementTimeoutMs: 100 });
    const expected = { name: 'DatabaseUnavailable', kind: 'query', code: '57014' };
    const sleep = sql`select pg_sleep(5)`;
    for (const run of [() => db.run(sleep), () => db.inTransaction((tx) => tx.run(sleep))]) {
      const error: unknown = await run().catch((failure: unknown) => failure);
      expect(error).toMatchObject(expected);
      expect(databaseSentence(error)).toBe(
        'The database is not available: error: canceling statement due to statement timeout.',
      );
    }
    await db.close();
  });

  test.each([
    ['read', 'query'],
    ['connect', 'connect'],
    ['getaddrinfo', 'connect'],
  ])('where the network is away during %s: %s', async (syscall, kind) => {
    const error = Object.assign(new Error('no route'), { code: 'EHOSTUNREACH', syscall });
    expect(() => rethrow(error)).toThrow(expect.objectContaining({ name: 'DatabaseUnavailable', kind }));
    expect(isOfConnecting(error)).toBe(kind === 'connect');
  });
});

test('an operator reads what the database cannot do, and nothing of an error that is not the database’s', async () => {
  const db = openDatabase({ url: database.url, schema: 'kept' });
  const error: unknown = await db.run(sql`select from nothing`).catch((failure: unknown) => failure);
  expect(databaseSentence(error)).toBe('The database cannot do that: relation "nothing" does not exist.');
  expect(databaseSentence(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))).toBeUndefined();
  await db.close();
});
