import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withClient } from '@cobro/postgres/with-client.ts';
import { withDatabase, withRole } from '@cobro/testing/database-address.ts';
import { testEnvironment } from '@cobro/testing/test-environment.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDatabase, createRoles, dropDatabases } from './provision-postgres.ts';

describe('the database of a stack', () => {
  const adminUrl = testEnvironment().postgres.url;
  const name = `cobro_${testEnvironment().id}_p${randomBytes(4).toString('hex')}`;
  const folder = mkdtempSync(join(tmpdir(), 'cobro-migrations-'));
  let paymentsUrl: string;

  function schema(schemaName: string) {
    const dir = join(folder, schemaName);
    mkdirSync(dir);
    const statement = 'create table thing (id bigint generated always as identity primary key, name text)';
    writeFileSync(join(dir, '1790000000001_thing.sql'), `-- Up Migration\n${statement};\n`);
    return { name: schemaName, migrations: [{ dir, table: 'pgmigrations' }] };
  }

  beforeAll(async () => {
    const roles = await createRoles(adminUrl, name, ['payments', 'holds']);
    await createDatabase(adminUrl, name, [schema('payments'), schema('holds')], roles);
    paymentsUrl = withRole(withDatabase(adminUrl, name), roles['payments']?.service ?? { name: '', password: '' });
  });
  afterAll(async () => {
    await dropDatabases(adminUrl, name);
    rmSync(folder, { recursive: true });
  });

  const ask = (url: string, statement: string) =>
    withClient({ connectionString: url }, async (client) => (await client.query(statement)).rows as unknown[]);

  test('lets a service read and write rows of its own schema', async () => {
    await ask(paymentsUrl, `insert into payments.thing (name) values ('one')`);
    expect(await ask(paymentsUrl, 'select name from payments.thing')).toEqual([{ name: 'one' }]);
  });

  test.each([
    'select * from holds.thing',
    `insert into holds.thing (name) values ('x')`,
    'select * from holds.pgmigrations',
  ])('refuses a service the schema of another: %s', async (statement) => {
    await expect(ask(paymentsUrl, statement)).rejects.toThrow('permission denied for schema holds');
  });

  test.each(['drop table payments.thing', 'create table payments.other (id int)', 'truncate payments.thing'])(
    'lets no service change its schema: %s',
    async (statement) => {
      await expect(ask(paymentsUrl, statement)).rejects.toThrow(/permission denied|must be owner/);
    },
  );

  test('is dropped with its roles', async () => {
    const prefix = `${name}x`;
    const roles = await createRoles(adminUrl, prefix, ['payments']);
    await createDatabase(adminUrl, prefix, [{ name: 'payments', migrations: [] }], roles);
    await dropDatabases(adminUrl, prefix);
    const left = `select datname from pg_database where datname like '${prefix}%' union all select rolname from pg_roles where rolname like '${prefix}%'`;
    expect(await ask(adminUrl, left)).toEqual([]);
  });
});
