import pg from 'pg';

/** Two connections of an administrator, because one backend of Postgres uses one core. */
export type Lanes = [pg.Client, pg.Client];

export async function openLanes(databaseUrl: string): Promise<Lanes> {
  const open = async () => {
    const client = new pg.Client({ connectionString: databaseUrl, application_name: 'seed' });
    await client.connect();
    await client.query("set maintenance_work_mem = '512MB'; set work_mem = '256MB'; set jit = off");
    return client;
  };
  return [await open(), await open()];
}

/** Does both works at once, each in a transaction, and commits one right after the other. @throws where one fails; then neither is done */
export async function inTransactions(lanes: Lanes, [work, other]: [Work, Work]): Promise<void> {
  await both(lanes, (client) => client.query('begin'));
  const done = await Promise.allSettled([work(lanes[0]), other(lanes[1])]);
  const failed = done.find((result) => result.status === 'rejected');
  for (const client of lanes) await client.query(failed === undefined ? 'commit' : 'rollback');
  if (failed !== undefined) throw failed.reason;
}

type Work = (client: pg.Client) => Promise<void>;

export const both = <T>(lanes: Lanes, work: (client: pg.Client, lane: number) => Promise<T>) =>
  Promise.all(lanes.map(work));
