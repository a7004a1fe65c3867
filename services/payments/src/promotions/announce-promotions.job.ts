import type { Deps } from '../deps.ts';
import { eventsOfPromotion } from './promotion-events.ts';
import { lockUnannounced, noteAnnounced } from './promotion.store.ts';

const BATCH = 100;

/** Publishes once that a promotion was accepted, and that it has ended, by hand or by the clock. */
export const announcePromotions = ({ db, outbox, clock }: Deps): Promise<number> =>
  db.inTransaction(async (tx) => {
    const now = clock.now();
    const rows = await lockUnannounced(tx, now, BATCH);
    for (const row of rows) {
      const events = eventsOfPromotion(row, now);
      for (const event of events) {
        if (event.type === 'PromotionEnded' || row.announced === null) outbox.append(tx, event);
      }
      noteAnnounced(tx, row.id, events.at(-1)?.type === 'PromotionEnded' ? 'ENDED' : 'ACCEPTED');
    }
    return rows.length;
  });
