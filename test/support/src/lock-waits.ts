import { type Queries, sql } from '@cobro/postgres/database.ts';

/** How many sessions of the database wait for a lock of another. */
export const lockWaits = async (queries: Queries): Promise<number> =>
  (
    await queries.many(sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  ).length;
