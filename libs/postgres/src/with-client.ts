import pg from 'pg';
import { shownToPostgres } from './shown-to-postgres.ts';

/**
 * Connects for one piece of work, closes the connection and waits until it is closed. If the server ends the connection, the current
 * or the next statement fails.
 */
export async function withClient<T>(
  config: pg.ClientConfig & { connectionString: string },
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...config, connectionString: shownToPostgres(config.connectionString) });
  // Without a listener the error event would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end().catch(() => {});
  }
}
