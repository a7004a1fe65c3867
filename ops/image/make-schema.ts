import { withClient } from '@cobro/postgres/with-client.ts';
import pg from 'pg';

/** Makes the schema if it is missing. It is looked for first, because `if not exists` needs the right to make schemas in any case. */
export const makeSchema = (ownerUrl: string, schema: string): Promise<void> =>
  asOwner(ownerUrl, async (client) => {
    const { rowCount } = await client.query('select from pg_namespace where nspname = $1', [schema]);
    if (rowCount === 0) await client.query(`create schema if not exists ${pg.escapeIdentifier(schema)}`);
  });

export const asOwner = (url: string, use: (client: pg.Client) => Promise<void>): Promise<void> =>
  withClient({ connectionString: url, connectionTimeoutMillis: 10_000, lock_timeout: 10_000 }, use);
