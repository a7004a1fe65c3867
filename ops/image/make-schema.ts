import { withClient } from '@cobro/postgres/with-client.ts';
import pg from 'pg';
import { patiently } from './patiently.ts';

const REACHABLE_WITHIN_MS = 30_000;

/** The right to make schemas is asked for even where the schema is there, so it is looked for first. */
export const makeSchema = (ownerUrl: string, schema: string): Promise<void> => {
  const make = () =>
    asOwner(ownerUrl, async (client) => {
      const { rowCount } = await client.query('select from pg_namespace where nspname = $1', [schema]);
      if (rowCount === 0) await client.query(`create schema if not exists ${pg.escapeIdentifier(schema)}`);
    });
  // A network policy lets a new pod through some seconds after its start. What Postgres itself refuses, it refuses again.
  return patiently(REACHABLE_WITHIN_MS, make, (error) => !(error instanceof pg.DatabaseError));
};

export const asOwner = (url: string, use: (client: pg.Client) => Promise<void>): Promise<void> =>
  withClient({ connectionString: url, connectionTimeoutMillis: 10_000, lock_timeout: 10_000 }, use);
