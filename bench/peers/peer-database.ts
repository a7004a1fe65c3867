import { withClient } from '@cobro/postgres/with-client.ts';
import { withDatabase } from '@cobro/testing/database-address.ts';
import type { Stack } from '../../dev/stack/stack.ts';

/** Makes a database beside ours, on the same server, with these tables. Returns its address. It goes with the server, which is the run's own. */
export async function createPeerDatabase(stack: Stack, name: string, schema: string[] = []): Promise<string> {
  const { url } = stack.servers.postgres;
  await withClient({ connectionString: url }, (client) => client.query(`create database ${name}`));
  const databaseUrl = withDatabase(url, name);
  await withClient({ connectionString: databaseUrl }, async (client) => {
    for (const statements of schema) await client.query(statements);
  });
  return databaseUrl;
}
