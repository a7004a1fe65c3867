import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@cobro/testing/until.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { openDatabase, sql } from './database.ts';
import { migrate, type Schema } from './migrate.ts';
import { rehearse } from './rehearse.ts';

let database: TestDatabase;
let folder: string;
const schema = (name: string): Schema => ({ name, migrations: [{ dir: folder, table: 'pgmigrations' }] });
const up = (name: string, statement: string) => writeFileSync(join(folder, name), `-- Up Migration\n${statement}\n`);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cobro-migrations-'));
  database = await testDatabase({ name: 'one', migrations: [] });
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

test('migrations run once, in whichever process comes first, and go on from there', async () => {
  up('0001_first.sql', 'create table counted (n int); insert into counted values (1);');
  await Promise.all([1, 2, 3].map(() => migrate({ url: database.adminUrl, schema: schema('one') })));
  up('0002_second.sql', 'insert into counted values (2);');
  await migrate({ url: database.adminUrl, schema: schema('one') });
  const db = openDatabase({ url: database.adminUrl, schema: 'one' });
  expect(await db.many(sql`select n from counted order by n`)).toEqual([{ n: 1 }, { n: 2 }]);
  await db.close();
});

test('a migration that fails leaves nothing of itself, and what came before it stays', async () => {
  up('0003_third.sql', 'insert into counted values (3);');
  up('0004_broken.sql', 'insert into counted values (4); insert into nowhere values (4);');
  await expect(migrate({ url: database.adminUrl, schema: schema('one') })).rejects.toThrow('nowhere');
  const db = openDatabase({ url: database.adminUrl, schema: 'one' });
  expect(await db.many(sql`select n from counted where n > 2`)).toEqual([{ n: 3 }]);
  rmSync(join(folder, '0004_broken.sql'));
  await db.close();
});

test('a migration that cannot lock a table tries again, and nobody waits behind it meanwhile', async () => {
  up('0004_column.sql', 'alter table counted add column m int;');
  const db = openDatabase({ url: database.adminUrl, schema: 'one' });
  const holding = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const reading = db.inTransaction(async (tx) => {
    await tx.many(sql`select n from counted`);
    held.resolve();
    await holding.promise;
  });
  await held.promise;
  await expect(migrate({ url: database.adminUrl, schema: schema('one'), waitMs: 100 })).rejects.toThrow('lock timeout');
  const migrating = migrate({ url: database.adminUrl, schema: schema('one') });
  const tried = async () =>
    (
      await db.many(
        sql`select from pg_stat_activity where datname = current_database() and query like '%add column m%' and pid <> pg_backend_pid()`,
      )
    ).length > 0;
  await until('the migration has tried', tried);
  // If the migration waited for its lock, this read would wait behind it.
  await db.many(sql`select n from counted`);
  holding.resolve();
  await reading;
  await migrating;
  expect(await db.many(sql`select m from counted limit 1`)).toEqual([{ m: null }]);
  await db.close();
});

test('a rehearsal carries out what is new and says what each migration held', async () => {
  up('0005_index.sql', 'create index on counted (n); create table fresh (n int);');
  up('0006_slow.sql', 'lock table counted in access exclusive mode; select pg_sleep(2);');
  const [index, slow, ...others] = await rehearse({ url: database.adminUrl, schema: schema('one') });
  expect(index).toMatchObject({ schema: 'one', migration: '0005_index' });
  expect(slow?.held).toEqual([{ table: 'counted', lock: 'AccessExclusiveLock', ms: expect.any(Number) }]);
  expect(others).toEqual([]);
  expect(await rehearse({ url: database.adminUrl, schema: schema('one') })).toEqual([]);
});

test('a migration whose session the server ends is refused, and may be tried again', async () => {
  const other = join(folder, 'other');
  mkdirSync(other);
  const ofOther: Schema = { name: 'one', migrations: [{ dir: other, table: 'othermigrations' }] };
  const migrateOther = (statement: string) => {
    writeFileSync(join(other, '0001_other.sql'), `-- Up Migration\n${statement}\n`);
    return migrate({ url: database.adminUrl, schema: ofOther });
  };
  await expect(migrateOther('select pg_terminate_backend(pg_backend_pid());')).rejects.toThrow('terminat');
  await migrateOther('create table other (n int);');
  const db = openDatabase({ url: database.adminUrl, schema: 'one' });
  const sessions = async () =>
    db.many(sql`
      select from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`);
  await until('its sessions have ended', async () => (await sessions()).length === 0);
  await db.close();
});
