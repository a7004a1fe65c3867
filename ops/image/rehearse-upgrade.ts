import { rehearse } from '@cobro/postgres/rehearse.ts';
import { ownedSchemas } from './environment.ts';
import { asOwner, makeSchema } from './make-schema.ts';

export const REHEARSE_USAGE = 'rehearse';

/** Migrates a restored backup and prints which locks each migration held, and for how long. Refuses a database with other sessions. */
export async function rehearseUpgrade(args: string[]): Promise<void> {
  if (args.join(' ') !== 'rehearse') throw new Error(`Give: upgrade ${REHEARSE_USAGE}`);
  const all = ownedSchemas();
  for (const { owner, schema } of all) await refuseUsed(owner, schema.name);
  for (const { owner: url, schema } of all) {
    await makeSchema(url, schema.name);
    const done = await rehearse({ url, schema });
    if (done.length === 0) console.log(`${schema.name}: nothing to do`);
    for (const { migration, ms, held } of done) {
      console.log(`${schema.name} ${migration}: ${ms.toFixed(0)} ms`);
      for (const one of held) console.log(`  ${one.lock} on ${one.table}: ${one.ms.toFixed(0)} ms`);
    }
  }
}

const refuseUsed = (ownerUrl: string, schema: string): Promise<void> =>
  asOwner(ownerUrl, async (client) => {
    // Every role sees these columns, also of others' sessions. An autovacuum has no role.
    const { rows } = await client.query<{ others: number }>(`
      select count(*)::int as others from pg_stat_activity
      where datname = current_database() and usesysid is not null and pid <> pg_backend_pid()`);
    const { others = 0 } = rows[0] ?? {};
    if (others > 0)
      throw new Error(`schema ${schema}: ${others} other sessions use this database; rehearse on a restored copy.`);
  });
