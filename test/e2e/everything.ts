import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '@cobro/postgres/database.ts';
import { bankOperations } from '@cobro/testing/bank-operations.ts';
import { tablesOf } from './hiding-places.ts';
import type { StackUnderTest } from './stack-under-test.ts';

/** Every row of every table, and the bank's books, without the times of last use: a refused key or session was used too. */
export async function everything({ stack, db }: StackUnderTest): Promise<object> {
  const tables = (await tablesOf(stack())).map(({ where, text }) => [where, text.split('\n').toSorted()] as const);
  const keys = await db('gateway').many<object>(
    sql`select to_jsonb(k) - 'last_used_at' as key from api_keys k order by id`,
  );
  const sessions = await db('dashboard').many<object>(sql`
    select to_jsonb(s) - 'seen_at' as session from session s order by id`);
  const owned = { 'table gateway.api_keys': keys, 'table dashboard.session': sessions };
  return { ...Object.fromEntries(tables), ...owned, bank: await bankOperations(stack().bankUrl) };
}

/** Everything, once pending jobs and events are done. Jobs run every second, on a busy machine later. */
export async function onceQuiet(tested: StackUnderTest): Promise<object> {
  let last: object;
  let now = await everything(tested);
  do {
    last = now;
    await sleep(2_500);
    now = await everything(tested);
  } while (JSON.stringify(now) !== JSON.stringify(last));
  return now;
}
