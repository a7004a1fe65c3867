import { randomBytes } from 'node:crypto';
import { type Schema, migrate } from '@cobro/postgres/migrate.ts';
import { withClient } from '@cobro/postgres/with-client.ts';
import pg from 'pg';
import './check-statements.ts';
import { withDatabase, withRole } from './database-address.ts';
import { testEnvironment } from './test-environment.ts';

export interface TestDatabase {
  /** The address with which the service connects: its role may read and write rows of its schema. */
  url: string;
  /** An administrator's address of the same database. */
  adminUrl: string;
  drop(): Promise<void>;
}

/**
 * A database for one caller alone, in about 0.1 s: a copy of that service's template. Given a schema it is an empty database with
 * these migrations, and `url` is the administrator's.
 */
export async function testDatabase(of: string | Schema): Promise<TestDatabase> {
  const { id, postgres } = testEnvironment();
  const database = `cobro_${id}_t${randomBytes(6).toString('hex')}`;
  const adminUrl = withDatabase(postgres.url, database);
  const drop = () => execute(postgres.url, `drop database if exists ${database} with (force)`);
  if (typeof of !== 'string') {
    await execute(postgres.url, `create database ${database}`);
    await execute(adminUrl, `create schema ${pg.escapeIdentifier(of.name)}`);
    await migrate({ url: adminUrl, schema: of });
    return { url: adminUrl, adminUrl, drop };
  }
  const template = postgres.templates[of];
  if (template === undefined) throw new Error(`no service has a schema named ${of}`);
  await execute(postgres.url, `create database ${database} template ${template.database}`);
  return { url: withRole(adminUrl, template.role), adminUrl, drop };
}

/** Copies databases that no service uses now. `restore` puts the copies back, again while no service uses the databases. */
export async function keepDatabases(
  urls: readonly string[],
): Promise<{ restore(): Promise<void>; drop(): Promise<void> }> {
  const { url } = testEnvironment().postgres;
  const names = urls.map((one) => new URL(one).pathname.slice(1));
  const keptOf = (name: string) => `${name}_kept`;
  const disconnect = (name: string) =>
    execute(url, `select pg_terminate_backend(pid) from pg_stat_activity where datname = ${pg.escapeLiteral(name)}`);
  for (const name of names) {
    await disconnect(name);
    await execute(url, `create database ${keptOf(name)} template ${name}`);
  }
  return {
    restore: async () => {
      for (const name of names) {
        await execute(url, `drop database ${name} with (force)`);
        await execute(url, `create database ${name} template ${keptOf(name)}`);
      }
    },
    drop: async () => {
      for (const name of names) await execute(url, `drop database ${keptOf(name)} with (force)`);
    },
  };
}

/**
 * Makes a role's sessions in a database read-only: open ones end, new ones refuse to write. Returns a function that undoes it for later
 * sessions.
 */
export async function makeReadOnly(database: string, role: string): Promise<() => Promise<void>> {
  const { url } = testEnvironment().postgres;
  const [name, on] = [pg.escapeIdentifier(role), pg.escapeIdentifier(database)];
  await execute(url, `alter role ${name} in database ${on} set default_transaction_read_only = on`);
  await execute(
    url,
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = ${pg.escapeLiteral(database)} and usename = ${pg.escapeLiteral(role)}`,
  );
  return () => execute(url, `alter role ${name} in database ${on} reset default_transaction_read_only`);
}

const execute = (url: string, statement: string) =>
  withClient({ connectionString: url, connectionTimeoutMillis: 10_000 }, async (client) => {
    await client.query(statement);
  });
