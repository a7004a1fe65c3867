import { declareTopology } from '@cobro/events/topology.ts';
import { consumersOf } from '@cobro/frame/definition.ts';
import { rowGrants } from '@cobro/postgres/grants.ts';
import { migrate, type Schema } from '@cobro/postgres/migrate.ts';
import { withClient } from '@cobro/postgres/with-client.ts';
import pg from 'pg';
import { definitions } from '../../services/definitions.ts';
import { allSchemaAddresses, needed, roleOf } from './environment.ts';

/**
 * Brings every schema, the grants on it and the broker's topology up to date. May be repeated, and may run twice at once. Each schema
 * is migrated by its owner; services of the release before go on meanwhile, so migrations only ever add.
 */
export async function migrateAll(): Promise<void> {
  const amqpUrl = needed('AMQP_URL');
  for (const { schema, owner, service } of allSchemaAddresses()) {
    await migrateOne(schema, owner, service).catch((error: unknown) => {
      const { message, code } = error as { message: string; code?: string };
      // The library puts the stack of some errors into its message.
      const [sentence] = message.split('\n', 1);
      throw new Error(`schema ${schema.name}: ${sentence}${code === undefined ? '' : ` (${code})`}`, { cause: error });
    });
    console.log(`schema ${schema.name} is up to date`);
  }
  const consumers = consumersOf(definitions);
  await declareTopology({ url: amqpUrl, prefix: process.env['EVENTS_PREFIX'] ?? '', consumers });
  console.log(`the queues of ${Object.keys(consumers).join(', ')} are declared`);
}

async function migrateOne(schema: Schema, owner: string, service: string): Promise<void> {
  await asOwner(owner, (client) => createSchema(client, schema.name));
  await migrate({ url: owner, schema });
  await asOwner(owner, async (client) => void (await client.query(rowGrants(schema, roleOf(service).name))));
}

/** The right to make schemas is asked for even where the schema is there, so it is looked for first. */
async function createSchema(client: pg.Client, schema: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_namespace where nspname = $1', [schema]);
  if (rowCount === 0) await client.query(`create schema if not exists ${pg.escapeIdentifier(schema)}`);
}

const asOwner = (url: string, use: (client: pg.Client) => Promise<void>): Promise<void> =>
  withClient({ connectionString: url, connectionTimeoutMillis: 10_000, lock_timeout: 10_000 }, use);
