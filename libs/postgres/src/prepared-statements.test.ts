import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Database, openDatabase, sql } from './database.ts';
import { countNamed, installStatementCheck, MOST_NAMED, statement } from './sql.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await testDatabase('holds');
  db = openDatabase({ url: database.url, schema: 'holds', max: 1 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

/** Each has its own text, like statements built from callers' input. */
const varying = Array.from({ length: 2 * MOST_NAMED }, (_, i) => statement(`select $1::int + ${i} as sum`, [i]));

test('a statement too many fails every process of a test, and says which it is', async () => {
  const said: string[] = [];
  const write = process.stderr.write.bind(process.stderr);
  process.stderr.write = ((text: string) => said.push(text)) as never;
  try {
    const ask = async () => {
      for (const one of varying) await db.one(one);
    };
    await expect(ask()).rejects.toThrow(`the process has more than ${MOST_NAMED} statements`);
  } finally {
    process.stderr.write = write;
  }
  expect(said.join('')).toContain('as sum breaks its contract');
});

test('in production it runs without a name, and a connection keeps no more prepared', async () => {
  installStatementCheck(() => {});
  for (const [i, one] of varying.entries()) await expect(db.one(one)).resolves.toEqual({ sum: 2 * i });
  await db.inTransaction(async (tx) => {
    tx.send(statement('select $1::int as sent', [1]));
    await expect(tx.one(statement('select $1::int as in_transaction', [7]))).resolves.toEqual({ in_transaction: 7 });
  });
  const prepared = statement('select count(*)::int as prepared from pg_prepared_statements');
  const { prepared: count } = await db.one<{ prepared: number }>(prepared);
  expect(count).toBeLessThanOrEqual(MOST_NAMED);
  expect(countNamed()).toBe(MOST_NAMED);
  await expect(db.one(sql`select 1 as one`)).resolves.toEqual({ one: 1 });
});
