import type { Envelope } from '@cobro/contracts/events.ts';
import { eventHandlers } from '@cobro/events/event-handlers.ts';
import { eachInItsTurn } from '@cobro/events/turns.ts';
import { sql, type Tx } from '@cobro/postgres/database.ts';
import { handlers } from '../../services/reporting/src/app.ts';
import type { Rebuild, Retellings } from './rebuild.ts';
import type { ProjectedTable } from './schemas.store.ts';

const projections = eventHandlers(handlers());

/** Projects events as always, but without the inbox: they were made again, under ids that nobody else will use. */
export async function project(tx: Tx, events: Envelope[]): Promise<void> {
  await eachInItsTurn(
    events,
    ({ subject }) => subject,
    async (event) => projections[event.type]?.(tx, event),
  );
}

/** Notes the payments among these that the serving tables do not list. */
export const noteUnlisted = (tx: Tx, paymentIds: readonly string[]): void =>
  tx.send(sql`
    insert into reporting_rebuild.unlisted (payment_id)
    select id from reporting_next.payment where id = any(${paymentIds}::uuid[]) and listed_at = 'infinity'
    on conflict do nothing`);

/**
 * Applies what the projection has changed since the owners were read, `limit` changes at most. Owners are asked after the note was read, so
 * they know at least what was projected. Returns how many notes there were.
 */
async function catchUp(tx: Tx, retellings: Retellings, limit: number): Promise<number> {
  const touched = await tx.many<{ table: ProjectedTable; key: string }>(sql`
    delete from reporting_rebuild.touched
    where id = any(array(select id from reporting_rebuild.touched order by id limit ${limit}))
    returning of_table as table, key`);
  for (const [table, notes] of Map.groupBy(touched, (note) => note.table)) {
    const keys = [...new Set(notes.map(({ key }) => key))];
    const retold = await Promise.all(retellings[table].map((owner) => owner.of(keys)));
    await project(tx, retold.flat());
    if (table === 'payment') listAsServed(tx, keys);
  }
  return touched.length;
}

const AT_ONCE = 1_000;
/** Fewer changes than this are left for the next time. */
const FEW = 50;

/** Catches up until few changes are left, because the projection goes on. */
export async function catchUpWithProjection({ next, retellings }: Rebuild): Promise<void> {
  while ((await next.inTransaction((tx) => catchUp(tx, retellings, AT_ONCE))) >= FEW);
}

/** Catches up with all changes, in a transaction that has stopped the projection. */
export async function catchUpToTheEnd(tx: Tx, retellings: Retellings): Promise<void> {
  while ((await catchUp(tx, retellings, AT_ONCE)) > 0);
}

/** Copies when these were listed, which may have happened since they were read. */
function listAsServed(tx: Tx, paymentIds: string[]): void {
  tx.send(sql`
    update reporting_next.payment as ours set listed_at = served.listed_at
    from reporting.payment as served
    where ours.id = any(${paymentIds}::uuid[]) and served.id = ours.id
      and ours.listed_at <> served.listed_at`);
  noteUnlisted(tx, paymentIds);
}
