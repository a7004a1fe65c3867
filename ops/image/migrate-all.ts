import { declareTopology } from '@cobro/events/topology.ts';
import { consumersOf } from '@cobro/frame/definition.ts';
import { rowGrants } from '@cobro/postgres/grants.ts';
import { migrate, type Schema } from '@cobro/postgres/migrate.ts';
import { definitions } from '../../services/definitions.ts';
import { allSchemaAddresses, needed, roleOf } from './environment.ts';
import { asOwner, makeSchema } from './make-schema.ts';

/**
 * Brings every schema, the grants on it and the broker's topology up to date. May be repeated, and may run twice at once. Each schema is
 * migrated by its owner. The previous release's services keep running meanwhile, so migrations only ever add.
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
  await makeSchema(owner, schema.name);
  await migrate({ url: owner, schema });
  await asOwner(owner, async (client) => void (await client.query(rowGrants(schema, roleOf(service).name))));
}
