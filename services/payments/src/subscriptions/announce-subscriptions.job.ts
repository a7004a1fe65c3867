import { counter } from '@cobro/metrics/instruments.ts';
import type { Deps } from '../deps.ts';
import { subscriptionChanged } from './subscription-events.ts';
import { announcedAfter, newsOf, renewingNumber, renewingUntil } from './subscription-news.rules.ts';
import { lockChanged, lockWaking, noteAnnounced, notePublished, noteRenewing } from './subscription-news.store.ts';

const BATCH = 200;
const changes = counter('cobro.subscriptions.changes');

/** Publishes once what has happened to each subscription since the last look. */
export async function announceSubscriptions({ db, outbox, clock }: Deps): Promise<number> {
  const now = clock.now();
  const { news, looked } = await db.inTransaction(async (tx) => {
    const rows = await lockChanged(tx, now, BATCH);
    const all = rows.flatMap((row) => newsOf(row, row.said, row.paid).map((one) => ({ row, one })));
    for (const { row, one } of all) outbox.append(tx, subscriptionChanged(row, one, { at: row.updatedAt, now }));
    notePublished(
      tx,
      all.map(({ row, one }) => ({ ...one, subscriptionId: row.id, at: row.updatedAt })),
    );
    if (rows.length > 0)
      noteAnnounced(
        tx,
        rows.map((row) => ({ ...row, said: announcedAfter(row, row.said, row.paid) })),
      );
    return { news: all.map(({ one }) => one), looked: rows.length };
  });
  for (const { change } of news) changes({ change });
  return looked;
}

/** Publishes once for each period that it is due within three days. */
export async function announceRenewals({ db, outbox, clock }: Deps): Promise<number> {
  const now = clock.now();
  const { renewing, looked } = await db.inTransaction(async (tx) => {
    const rows = await lockWaking(tx, { now, until: renewingUntil(now) }, BATCH);
    const numbers = rows.map((row) => renewingNumber(row, row.announcedRenewing, now));
    const published = rows.flatMap((row, i) => {
      const periodNumber = numbers[i];
      return periodNumber === undefined ? [] : { row, one: { change: 'renewing', periodNumber } as const };
    });
    for (const { row, one } of published) outbox.append(tx, subscriptionChanged(row, one, { at: now, now }));
    notePublished(
      tx,
      published.map(({ row, one }) => ({ ...one, subscriptionId: row.id, at: now })),
    );
    const ids = rows.map(({ id }) => id);
    if (rows.length > 0)
      noteRenewing(
        tx,
        ids,
        rows.map((row, i) => numbers[i] ?? row.announcedRenewing),
      );
    return { renewing: numbers.filter((number) => number !== undefined).length, looked: rows.length };
  });
  for (let n = 0; n < renewing; n++) changes({ change: 'renewing' });
  return looked;
}
