import pg from 'pg';

/** Two connections of an administrator, because one backend of Postgres uses one core. */
export type Lanes = [pg.Client, pg.Client];

export async function openLanes(databaseUrl: string): Promise<Lanes> {
  const open = async () => {
    const client = new pg.Client({ connectionString: databaseUrl, application_name: 'seed' });
    // If a signal stops the servers, this connection breaks, and stopping goes on.
    client.on('error', () => {});
    await client.connect();
    // A session that waits for one lane may block the other. Postgres sees no deadlock there, because the lanes are two sessions.
    await client.query(
      "set lock_timeout = '60s'; set maintenance_work_mem = '512MB'; set work_mem = '256MB'; set jit = off",
    );
    return client;
  };
  return [await open(), await open()];
}

/**
 * Runs the works at once, each in a transaction of its connection, and then commits one right after the other. @throws if one fails; then
 * all are rolled back
 */
export async function inTransactions(...works: [client: pg.Client, work: Work][]): Promise<void> {
  const done = await Promise.allSettled(
    works.map(async ([client, work]) => {
      await client.query('begin');
      await work(client);
    }),
  );
  const failed = done.find((result) => result.status === 'rejected');
  for (const [client] of works) await client.query(failed === undefined ? 'commit' : 'rollback');
  if (failed !== undefined) throw failed.reason;
}

type Work = (client: pg.Client) => Promise<void>;

export const both = <T>(lanes: Lanes, work: (client: pg.Client, lane: number) => Promise<T>) =>
  Promise.all(lanes.map(work));
