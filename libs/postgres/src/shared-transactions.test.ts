import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { until } from '@cobro/testing/until.ts';
import { type Database, openPatiently, sql, type Tx } from './database.ts';

let database: TestDatabase;
let db: Database;
/** Another session, which can hold a lock or look on. */
let other: Database;

beforeAll(async () => {
  database = await testDatabase({ name: 'shared', migrations: [] });
  db = openPatiently({ url: database.url, schema: 'shared' });
  other = openPatiently({ url: database.url, schema: 'shared' });
  await db.run(sql`create table account (name text primary key, centavos int8 not null default 0)`);
  await db.run(
    sql`create table claim (name text not null unique, transaction xid8 not null default pg_current_xact_id())`,
  );
});
beforeEach(async () => {
  await db.run(sql`truncate account`);
  await db.run(sql`truncate claim`);
  runs.clear();
});
afterAll(async () => {
  await Promise.all([db.close(), other.close()]);
  await database.drop();
});

class Refused extends Error {}
const names = Array.from({ length: 20 }, (_, i) => `name ${String(i).padStart(2, '0')}`);
const [first = ''] = names;
/** How often the work of a name was begun. */
const runs = new Map<string, number>();

const claim = (tx: Tx, name: string) => tx.send(sql`insert into claim (name) values (${name})`);

/** Every name at once, each with what `work` gave or how it failed. */
async function claimAll(work: (tx: Tx, name: string) => unknown): Promise<Map<string, unknown>> {
  const claiming = names.map(async (name) => {
    const result = db
      .inSharedTransaction(name, async (tx) => {
        runs.set(name, (runs.get(name) ?? 0) + 1);
        return work(tx, name);
      })
      .catch((error: unknown) => error);
    return [name, await result] as const;
  });
  return new Map(await Promise.all(claiming));
}

const claims = () =>
  db.many<{ name: string; transaction: string }>(sql`select name, transaction::text from claim order by name`);
const claimed = async () => (await claims()).map(({ name }) => name);
const transactions = async () => new Set((await claims()).map(({ transaction }) => transaction)).size;

test('works that come together share transactions, and each caller has its own result', async () => {
  const results = await claimAll((tx, name) => {
    claim(tx, name);
    return name.toUpperCase();
  });
  for (const name of names) expect(results.get(name)).toBe(name.toUpperCase());
  expect(await claimed()).toEqual(names);
  expect(await transactions()).toBeLessThan(names.length / 2);
});

describe('of works that come together', () => {
  const others = names.slice(1);

  test('one that refuses before it has written anything is left out; the others run once', async () => {
    const results = await claimAll(async (tx, name) => {
      await tx.maybe(sql`select name from account where name = ${name} for update`);
      if (name === first) throw new Refused();
      claim(tx, name);
    });
    expect(results.get(first)).toBeInstanceOf(Refused);
    expect(await claimed()).toEqual(others);
    expect(new Set(runs.values())).toEqual(new Set([1]));
  });

  test('one that fails after it has written has written nothing, and the others have', async () => {
    const results = await claimAll(async (tx, name) => {
      claim(tx, name);
      await tx.run(sql`insert into account (name) values (${name})`);
      if (name === first) throw new Refused();
      return name;
    });
    expect(results.get(first)).toBeInstanceOf(Refused);
    for (const name of others) expect(results.get(name)).toBe(name);
    expect(await claimed()).toEqual(others);
    expect(await db.many(sql`select name from account order by name`)).toEqual(others.map((name) => ({ name })));
  });

  test('one that violates a constraint, with a statement that nobody waited for, is told so, and the others are written', async () => {
    await db.run(sql`insert into claim (name) values (${first})`);
    const results = await claimAll(claim);
    expect(results.get(first)).toMatchObject({ code: '23505', constraint: 'claim_name_key' });
    for (const name of others) expect(results.get(name)).toBeUndefined();
    expect(await claimed()).toEqual(names);
  });

  test('one whose row somebody keeps locked waits alone', async () => {
    for (const name of names) await db.run(sql`insert into account (name) values (${name})`);
    const results = other.inTransaction(async (tx) => {
      await tx.one(sql`select name from account where name = ${first} for update`);
      const claiming = claimAll(async (mine, name) => {
        await mine.one(sql`select name from account where name = ${name} for update`);
        claim(mine, name);
        return name;
      });
      await until(
        'all others have claimed',
        async () => (await other.many(sql`select from claim`)).length === others.length,
      );
      return { claiming };
    });
    const { claiming } = await results;
    expect(await claiming).toEqual(new Map(names.map((name) => [name, name])));
    expect(await claimed()).toEqual(names);
  });

  test('each is done in its own trace', async () => {
    const trace = new AsyncLocalStorage<string>();
    const told: [string, string | undefined][] = [];
    const work = (name: string) =>
      db.inSharedTransaction(name, async (tx) => {
        told.push([name, trace.getStore()]);
        await tx.many(sql`select name from account`);
        told.push([name, trace.getStore()]);
        claim(tx, name);
        tx.afterCommit(() => told.push([name, name]));
        if (name === first) throw new Refused();
      });
    await Promise.allSettled(names.map((name) => trace.run(name, () => work(name))));
    expect(told.filter(([name, store]) => name !== store)).toEqual([]);
    expect(new Set(told.map(([name]) => name))).toEqual(new Set(names));
  });

  test('what is to be done after the commit is done for those that committed', async () => {
    const done: string[] = [];
    await claimAll(async (tx, name) => {
      tx.afterCommit(() => done.push(name));
      if (name === first) throw new Refused();
      claim(tx, name);
    });
    expect(done.toSorted()).toEqual(others);
  });
});

test('works on one subject come one after the other, and each sees what the one before did', async () => {
  for (const name of names.slice(0, 4)) await db.run(sql`insert into account (name) values (${name})`);
  const spend = (name: string) =>
    db.inSharedTransaction(name, async (tx) => {
      const { centavos } = await tx.one<{ centavos: bigint }>(sql`
        select centavos from account where name = ${name} for update`);
      if (centavos === 3n) throw new Refused();
      tx.send(sql`update account set centavos = ${centavos + 1n} where name = ${name}`);
    });
  const spending = Array.from({ length: 80 }, (_, i) => spend(names[i % 4] ?? ''));
  const results = await Promise.allSettled(spending);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(12);
  expect(await db.many(sql`select distinct centavos from account`)).toEqual([{ centavos: 3n }]);
});

test('after a commit whose reply was lost nobody runs again', async () => {
  await db.run(sql`
    create function end_session() returns trigger language plpgsql as $$
    begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$`);
  await db.run(sql`
    create constraint trigger at_commit after insert on claim deferrable initially deferred
    for each row when (new.name = 'name 00') execute function end_session()`);
  try {
    const results = await claimAll(claim);
    const lost = [...results].filter(([, result]) => result !== undefined);
    expect(lost.map(([name]) => name)).toContain(first);
    for (const [, result] of lost) expect(result).toMatchObject({ name: 'DatabaseUnavailable' });
    expect(new Set(runs.values())).toEqual(new Set([1]));
    expect(await claimed()).toEqual(names.filter((name) => results.get(name) === undefined));
  } finally {
    await db.run(sql`drop trigger at_commit on claim`);
  }
});
