import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { until } from '@cobro/testing/until.ts';
import { type Database, openPatiently, sql, type Sql } from './database.ts';

let database: TestDatabase;
let db: Database;
/** Another session, to hold a lock or to observe. */
let other: Database;

beforeAll(async () => {
  database = await testDatabase({ name: 'shared', migrations: [] });
  db = openPatiently({ url: database.url, schema: 'shared', lockTimeoutMs: 60_000 });
  other = openPatiently({ url: database.url, schema: 'shared' });
  await db.run(sql`create table account (name text primary key, centavos int8 not null default 0)`);
  await db.run(
    sql`create table claim (name text not null unique, transaction xid8 not null default pg_current_xact_id())`,
  );
  // A sequence also counts runs that are rolled back.
  await db.run(sql`create sequence runs`);
});
beforeEach(async () => {
  await db.run(sql`truncate account`);
  await db.run(sql`truncate claim`);
  await db.run(sql`alter sequence runs restart`);
});
afterAll(async () => {
  await Promise.all([db.close(), other.close()]);
  await database.drop();
});

const names = Array.from({ length: 20 }, (_, i) => `name ${String(i).padStart(2, '0')}`);
const [first = ''] = names;
const others = names.slice(1);

const claiming = (name: string): Sql => sql`insert into claim (name) values (${name}) returning upper(name) as upper`;
/** Inserts nothing if there is no account of that name. */
const claimingOpened = (name: string): Sql => sql`
  with account as (select name from account where name = ${name} for update)
  insert into claim (name) select name from account returning upper(name) as upper`;

/** Claims every name at once, and returns each one's rows or its error. */
async function claimAll(statement: (name: string) => Sql): Promise<Map<string, unknown>> {
  const all = names.map(async (name) => {
    const result = db.inSharedTransaction(name, statement(name)).catch((error: unknown) => error);
    return [name, await result] as const;
  });
  return new Map(await Promise.all(all));
}

const claims = () =>
  db.many<{ name: string; transaction: string }>(sql`select name, transaction::text from claim order by name`);
const claimed = async () => (await claims()).map(({ name }) => name);
const transactions = async () => new Set((await claims()).map(({ transaction }) => transaction)).size;
const rowsOf = (name: string) => [{ upper: name.toUpperCase() }];

test('statements that come together share transactions, and each caller has its own rows', async () => {
  const results = await claimAll(claiming);
  expect(results).toEqual(new Map(names.map((name) => [name, rowsOf(name)])));
  expect(await claimed()).toEqual(names);
  expect(await transactions()).toBeLessThan(names.length / 2);
});

test('several statements of one caller commit together, and it has the rows of the last', async () => {
  const open = (name: string) =>
    db.inSharedTransaction(name, sql`insert into account (name) values (${name})`, claimingOpened(name));
  expect(await open(first)).toEqual(rowsOf(first));
  expect(await Promise.all(others.map(open))).toEqual(others.map(rowsOf));
  expect(await transactions()).toBeLessThan(names.length / 2);
  await expect(open(first)).rejects.toMatchObject({ code: '23505', constraint: 'account_pkey' });
});

describe('of statements that come together', () => {
  test('one that finds nothing to do does nothing, and the others run once', async () => {
    for (const name of others) await db.run(sql`insert into account (name) values (${name})`);
    const results = await claimAll(
      (name) => sql`
        with account as (select name, nextval('runs') from account where name = ${name} for update)
        insert into claim (name) select name from account returning upper(name) as upper`,
    );
    expect(results.get(first)).toEqual([]);
    expect(await claimed()).toEqual(others);
    expect(await db.one(sql`select last_value::int as runs from runs`)).toEqual({ runs: others.length });
  });

  test('one that violates a constraint is told so, and the others are written', async () => {
    await db.run(sql`insert into claim (name) values (${first})`);
    const results = await claimAll(claiming);
    expect(results.get(first)).toMatchObject({ code: '23505', constraint: 'claim_name_key' });
    for (const name of others) expect(results.get(name)).toEqual(rowsOf(name));
    expect(await claimed()).toEqual(names);
  });

  test('one whose row somebody keeps locked waits alone', async () => {
    for (const name of names) await db.run(sql`insert into account (name) values (${name})`);
    const results = other.inTransaction(async (tx) => {
      await tx.one(sql`select name from account where name = ${first} for update`);
      const all = claimAll(claimingOpened);
      await until(
        'all others have claimed',
        async () => (await other.many(sql`select from claim`)).length === others.length,
      );
      return { all };
    });
    const { all } = await results;
    expect(await all).toEqual(new Map(names.map((name) => [name, rowsOf(name)])));
    expect(await claimed()).toEqual(names);
  });
});

test('statements on one subject come one after the other, and each sees what the one before did', async () => {
  for (const name of names.slice(0, 4)) await db.run(sql`insert into account (name) values (${name})`);
  const spend = (name: string) =>
    db.inSharedTransaction(
      name,
      sql`update account set centavos = centavos + 1 where name = ${name} and centavos < 3 returning centavos`,
    );
  const spending = Array.from({ length: 80 }, (_, i) => spend(names[i % 4] ?? ''));
  expect((await Promise.all(spending)).filter((rows) => rows.length === 1)).toHaveLength(12);
  expect(await db.many(sql`select distinct centavos from account`)).toEqual([{ centavos: 3n }]);
});

test('statements that lock what other subjects lock too share no transaction, and each sees what the one before did', async () => {
  await db.run(sql`insert into account (name) values ('common')`);
  const spend = (name: string) =>
    db.inOwnTransaction(
      name,
      sql`update account set centavos = centavos + 1 where name = 'common'`,
      sql`insert into claim (name) select ${name} from account where name = 'common' and centavos <= 7 returning name`,
    );
  const spent = (await Promise.all(names.map(spend))).filter((rows) => rows.length === 1);
  expect(spent).toHaveLength(7);
  expect(await transactions()).toBe(7);
});

test('after a commit whose reply was lost nobody runs again', async () => {
  await db.run(sql`
    create function end_session() returns trigger language plpgsql as $$
    begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$`);
  await db.run(sql`
    create constraint trigger at_commit after insert on claim deferrable initially deferred
    for each row when (new.name = 'name 00') execute function end_session()`);
  try {
    const results = await claimAll(
      (name) => sql`insert into claim (name) select ${name} from (select nextval('runs')) run returning name`,
    );
    const lost = [...results].filter(([, result]) => !Array.isArray(result));
    expect(lost.map(([name]) => name)).toContain(first);
    for (const [, result] of lost) expect(result).toMatchObject({ name: 'DatabaseUnavailable' });
    expect(await db.one(sql`select last_value::int as runs from runs`)).toEqual({ runs: names.length });
    expect(await claimed()).toEqual(names.filter((name) => Array.isArray(results.get(name))));
  } finally {
    await db.run(sql`drop trigger at_commit on claim`);
  }
});
