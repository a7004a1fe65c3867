import type { Deps } from '../deps.ts';
import { endOf, expiredBefore, linkEnded } from './one-time-payment-events.ts';
import { lockEndedLinks, noteAnnounced } from './one-time-payment.store.ts';

const BATCH = 100;

/**
 * Publishes once how each link ended: paid, cancelled, or expired unpaid; both ends of one that was cancelled after it expired. A
 * merchant's links may all expire at one moment, so expiries are a batch a second, and other events do not wait behind them.
 */
export function announceLinks({ db, outbox, clock }: Deps): Promise<number> {
  return db.inTransaction(async (tx) => {
    const links = await lockEndedLinks(tx, expiredBefore(clock.now()), BATCH);
    for (const link of links) outbox.append(tx, linkEnded(link, endOf(link)));
    for (const end of ['PAID', 'CANCELLED', 'EXPIRED'] as const) {
      const ids = links.filter((link) => endOf(link) === end).map(({ id }) => id);
      if (ids.length > 0) noteAnnounced(tx, ids, end);
    }
    const ended = links.filter((link) => endOf(link) !== 'EXPIRED').length;
    return ended >= BATCH ? ended : 0;
  });
}
