import { randomBytes } from 'node:crypto';
import { rowGrants } from '@cobro/postgres/grants.ts';
import { type Schema, migrate } from '@cobro/postgres/migrate.ts';
import { withClient } from '@cobro/postgres/with-client.ts';
import { type Role, withDatabase, withRole } from '@cobro/testing/database-address.ts';
import pg from 'pg';
import type { Run } from './run.ts';
import { type Server, hostAndPort } from './servers/server.ts';

export interface ServiceRoles {
  /** The owner of the schema; migrations run with this role. */
  owner: Role;
  /** The role that reads and writes rows of that schema and may do nothing else. */
  service: Role;
}

export type RolesBySchema = Record<string, ServiceRoles>;

/**
 * Creates two roles per schema. Their names contain the run's id, so that on a server that is not ours they belong to nobody
 * else.
 */
export async function createRoles(adminUrl: string, prefix: string, schemas: string[]): Promise<RolesBySchema> {
  const roles: RolesBySchema = {};
  await asRole(adminUrl, async (client) => {
    for (const schema of schemas) {
      const pair = { owner: newRole(`${prefix}_${schema}_owner`), service: newRole(`${prefix}_${schema}`) };
      for (const { name, password } of Object.values(pair)) {
        await client.query(`create role ${id(name)} login password ${pg.escapeLiteral(password)}`);
        // So that an administrator who is not a superuser can make and drop things that belong to this role.
        await client.query(`grant ${id(name)} to current_user`);
      }
      roles[schema] = pair;
    }
  });
  return roles;
}

/** Creates a database with one migrated schema per service. Only the roles of that service can use the schema. */
export async function createDatabase(
  adminUrl: string,
  name: string,
  schemas: Schema[],
  roles: RolesBySchema,
): Promise<void> {
  await asRole(adminUrl, (client) => client.query(`create database ${id(name)}`));
  await asRole(withDatabase(adminUrl, name), async (client) => {
    for (const { name: schema } of schemas) {
      await client.query(`create schema ${id(schema)} authorization ${id(rolesOf(roles, schema).owner.name)}`);
    }
  });
  await migrateAll(withDatabase(adminUrl, name), schemas, roles);
}

async function migrateAll(databaseUrl: string, schemas: Schema[], roles: RolesBySchema): Promise<void> {
  await Promise.all(
    schemas.map(async (schema) => {
      const { owner, service } = rolesOf(roles, schema.name);
      const url = withRole(databaseUrl, owner);
      await migrate({ url, schema });
      await asRole(url, (client) => client.query(rowGrants(schema, service.name)));
    }),
  );
}

/** Drops all databases whose names begin with the prefix, then all such roles. */
export async function dropDatabases(adminUrl: string, prefix: string): Promise<void> {
  await asRole(adminUrl, async (client) => {
    const namesIn = async (catalog: string, column: string) =>
      (await client.query(`select ${column} as name from ${catalog} where starts_with(${column}, $1)`, [prefix]))
        .rows as { name: string }[];
    for (const { name } of await namesIn('pg_database', 'datname')) {
      await client.query(`drop database if exists ${id(name)} with (force)`);
    }
    for (const { name } of await namesIn('pg_roles', 'rolname')) await client.query(`drop role if exists ${id(name)}`);
  });
}

export interface ProvisionedDatabase {
  /** The administrator's address of this database. */
  adminUrl: string;
  /** Each service's own address, by the name of its schema. */
  serviceUrls: Record<string, string>;
  /** Brings these schemas up to date. */
  migrate: (schemas: Schema[]) => Promise<void>;
}

/** Creates a fresh database for one run of the services. On a server that outlives the run, the database is dropped at stop. */
export async function provisionPostgres(run: Run, postgres: Server, schemas: Schema[]): Promise<ProvisionedDatabase> {
  const name = `cobro_${run.id}`;
  const names = schemas.map((schema) => schema.name);
  run.onServer(postgres, { kind: 'databases', server: hostAndPort(postgres.url), prefix: name }, () =>
    dropDatabases(postgres.url, name),
  );
  const roles = await createRoles(postgres.url, name, names);
  await createDatabase(postgres.url, name, schemas, roles);
  const adminUrl = withDatabase(postgres.url, name);
  const serviceUrls = Object.fromEntries(
    names.map((schema) => [schema, withRole(adminUrl, rolesOf(roles, schema).service)]),
  );
  return { adminUrl, serviceUrls, migrate: (newer) => migrateAll(adminUrl, newer, roles) };
}

function newRole(name: string): Role {
  return { name, password: randomBytes(18).toString('base64url') };
}

function rolesOf(roles: RolesBySchema, schema: string): ServiceRoles {
  const pair = roles[schema];
  if (pair === undefined) throw new Error(`no roles for schema ${schema}`);
  return pair;
}

function id(name: string): string {
  return pg.escapeIdentifier(name);
}

const asRole = <T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> =>
  withClient({ connectionString: url, connectionTimeoutMillis: 10_000 }, use);
