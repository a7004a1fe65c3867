import { withClient } from '@cobro/postgres/with-client.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type TestDatabase, testDatabase } from './test-database.ts';
import { testEnvironment } from './test-environment.ts';

describe('a database for a test', () => {
  const schema = Object.keys(testEnvironment().postgres.templates)[0] ?? 'none';
  let mine: TestDatabase;
  let other: TestDatabase;

  beforeAll(async () => {
    [mine, other] = await Promise.all([testDatabase(schema), testDatabase(schema)]);
  });
  afterAll(async () => {
    await Promise.all([mine.drop(), other.drop()]);
  });

  const ask = (url: string, statement: string) =>
    withClient({ connectionString: url }, async (client) => (await client.query(statement)).rows as unknown[]);

  test("holds the service's tables, which the service's role can use but not change", async () => {
    const tables = await ask(mine.url, `select 1 from pg_tables where schemaname = '${schema}'`);
    expect(tables.length).toBeGreaterThan(0);
    await ask(mine.url, `select * from ${schema}.outbox`);
    await expect(ask(mine.url, `create table ${schema}.mine (id int)`)).rejects.toThrow('permission denied');
  });

  test('is nobody else’s', async () => {
    await ask(mine.adminUrl, 'create table public.mine (id int)');
    await expect(ask(other.adminUrl, 'select * from public.mine')).rejects.toThrow('does not exist');
  });
});
