import { type Database, type Sql, sql } from '@cobro/postgres/database.ts';

const BATCH = 5_000;
const DAY_MS = 86_400_000;

/** The first id that a UUID v7 of this millisecond can have. */
function idFrom(ms: number): string {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}

/**
 * Forgets a batch of the oldest events that were made and applied before `before`, after the id `after`. Returns their ids. The
 * ids of events are UUIDs v7, so the primary key has the old events side by side, and no other index is needed.
 */
export function forgetEvents(after: string, before: Date): Sql {
  return sql`
    delete from inbox where ctid = any(array(
      select ctid from inbox
      where event_id > ${after} and event_id < ${idFrom(before.getTime())} and consumed_at < ${before}
      order by event_id limit ${BATCH} for update skip locked))
    returning event_id as id`;
}

/**
 * Forgets events that were applied more than `days` ago, in short transactions, and returns how many. If a forgotten event came
 * again, its handler would run, so `days` must be longer than any event stays parked.
 */
export async function pruneInbox(db: Database, days: number): Promise<number> {
  const before = new Date(Date.now() - days * DAY_MS);
  let total = 0;
  // Each batch begins where the last one ended, so that it does not scan the rows just deleted.
  for (let after = idFrom(0); ;) {
    const deleted = await db.many<{ id: string }>(forgetEvents(after, before));
    total += deleted.length;
    if (deleted.length < BATCH) return total;
    after = deleted.reduce((last, { id }) => (id > last ? id : last), after);
  }
}
