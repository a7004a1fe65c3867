import { newEvent } from '@cobro/contracts/events.ts';
import type { Deps } from './deps.ts';
import { endsAt } from './hold.rules.ts';
import { noteEndings } from './hold.store.ts';

const NOTICE_MS = 24 * 3_600_000;
const BATCH = 200;

/** Publishes, once for each hold, that its last 24 hours have begun. */
export function announceEndings({ db, outbox, clock }: Deps): Promise<number> {
  const noticedAt = clock.now();
  return db.inTransaction(async (tx) => {
    const holds = await noteEndings(tx, {
      from: noticedAt,
      to: new Date(noticedAt.getTime() + NOTICE_MS),
      most: BATCH,
    });
    for (const hold of holds) {
      const { paymentId, organizationId, version } = hold;
      const data = { paymentId, organizationId, endsAt: endsAt(hold), noticedAt };
      const of = { subject: paymentId, sequence: version, time: noticedAt };
      outbox.append(tx, newEvent('HoldEnding', { ...of, data }));
    }
    return holds.length;
  });
}
