import { type Database, type Sql, sql } from '@cobro/postgres/database.ts';

const BATCH = 5_000;

/** Deletes the oldest operations that ended as `not_sent`. Nothing else refers to them. */
export const deleteNotSent = (days: number): Sql => sql`
  delete from bank_operation where ctid = any(array(
    select ctid from bank_operation
    where status = 'not_sent' and settled_at < now() - make_interval(days => ${days})
    order by settled_at limit ${BATCH} for update skip locked))`;

/**
 * Deletes operations that ended as `not_sent` more than `days` ago, in short transactions, and returns how many. All others stay,
 * to be compared with the bank's books.
 */
export async function pruneNotSent(db: Database, days: number): Promise<number> {
  for (let total = 0; ;) {
    const deleted = await db.run(deleteNotSent(days));
    total += deleted;
    if (deleted < BATCH) return total;
  }
}
