import pg from 'pg';
import type { Stack } from '../../../tools/stack/stack.ts';

/** Makes a database beside ours, on the same server, with these tables. Returns its address. It goes with the server, which is the run's own. */
export async function createPeerDatabase(stack: Stack, name: string, schema: string[] = []): Promise<string> {
  const { url } = stack.servers.postgres;
  await onServer(url, (client) => client.query(`create database ${name}`));
  const databaseUrl = new URL(url);
  databaseUrl.pathname = `/${name}`;
  await onServer(databaseUrl.href, async (client) => {
    for (const statements of schema) await client.query(statements);
  });
  return databaseUrl.href;
}

async function onServer(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
