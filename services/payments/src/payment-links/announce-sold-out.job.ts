import type { Deps } from '../deps.ts';
import { linkSoldOut } from './payment-link-events.ts';
import { findSoldOut, lockFull, noteSoldOut } from './payment-link.store.ts';

const BATCH = 100;

/** Publishes that a link is sold out, once for each maxPayments, and not while a charge for it is open. */
export const announceSoldOut = ({ db, outbox, clock }: Deps): Promise<number> =>
  db.inTransaction(async (tx) => {
    const locked = await lockFull(tx, BATCH);
    if (locked.length === 0) return 0;
    const ids = await noteSoldOut(tx, locked, clock.now());
    for (const link of await findSoldOut(tx, ids)) outbox.append(tx, linkSoldOut(link));
    return ids.length;
  });
