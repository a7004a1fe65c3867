import { scramVerifier } from '@cobro/postgres/scram-verifier.ts';
import { withClient } from '@cobro/postgres/with-client.ts';
import pg from 'pg';
import { allSchemaAddresses, needed, type Role, roleOf } from './environment.ts';

/**
 * Makes what must exist before the first migration: the database, and for each service the role that will own its schema and the role that
 * reads and writes its rows, with the names and passwords of their addresses. May be repeated; an existing role gets the password of its
 * address.
 */
export async function createRoles(): Promise<void> {
  const adminUrl = needed('ADMIN_DATABASE_URL');
  const schemas = allSchemaAddresses();
  const database = decodeURIComponent(new URL(schemas[0]?.owner ?? '').pathname.slice(1));
  await withClient({ connectionString: adminUrl, connectionTimeoutMillis: 10_000 }, async (client) => {
    await createDatabase(client, database);
    for (const { schema, owner, service } of schemas) {
      for (const role of [roleOf(owner), roleOf(service)]) await createRole(client, role);
      // The owner makes its schema itself, in the first migration.
      await client.query(`grant create on database ${id(database)} to ${id(roleOf(owner).name)}`);
      console.log(`roles of ${schema.name} are there`);
    }
  });
}

async function createDatabase(client: pg.Client, name: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
  if (rowCount === 0) await client.query(`create database ${id(name)}`);
}

async function createRole(client: pg.Client, { name, password }: Role): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [name]);
  const change = rowCount === 0 ? 'create' : 'alter';
  const verifier = pg.escapeLiteral(scramVerifier(password));
  await client.query(`${change} role ${id(name)} login password ${verifier}`);
}

const id = (name: string) => pg.escapeIdentifier(name);
