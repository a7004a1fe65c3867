import { withClient } from '@cobro/postgres/with-client.ts';
import pg from 'pg';

/** The right to make schemas is asked for even where the schema is there, so it is looked for first. */
export const makeSchema = (ownerUrl: string, schema: string): Promise<void> =>
  asOwner(ownerUrl, async (client) => {
    const { rowCount } = await client.query('select from pg_namespace where nspname = $1', [schema]);
    if (rowCount === 0) await client.query(`create schema if not exists ${pg.escapeIdentifier(schema)}`);
  });

export const asOwner = (url: string, use: (client: pg.Client) => Promise<void>): Promise<void> =>
  withClient({ connectionString: url, connectionTimeoutMillis: 10_000, lock_timeout: 10_000 }, use);
