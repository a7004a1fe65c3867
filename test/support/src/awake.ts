import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type Tx } from '@cobro/postgres/database.ts';

/** Waits for `work`, and keeps this transaction awake meanwhile, because Postgres ends one that was idle for ten seconds. */
export async function awake<T>(tx: Tx, work: Promise<T>): Promise<T> {
  const pause = Symbol('pause');
  while ((await Promise.race([work, sleep(200, pause)])) === pause) await tx.one(sql`select 1 as one`);
  return work;
}
