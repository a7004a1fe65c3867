import { parseEnvelope } from '@cobro/contracts/events.ts';
import { holdEndings, NOTHING_MISSED_MS } from '@cobro/contracts/hold-questions.ts';
import { eventHandlers } from '@cobro/events/event-handlers.ts';
import { receiveEvents } from '@cobro/events/inbox.ts';
import type { Database } from '@cobro/postgres/database.ts';
import type { Clock } from '@cobro/service-kit/clock.ts';
import type { Log } from '@cobro/service-kit/log.ts';
import type { ServiceClient } from '@cobro/service-kit/service-client.ts';
import { holdHandlers } from './on-hold-ended.ts';
import type { PaymentRow } from './payment.row.ts';

/** How long a read waits for holds. */
const WITHIN_MS = 300;
/** How long holds is not asked after it has not answered. */
const AWAY_MS = 1_000;
const IN_QUESTION = 100;

export interface MissedEndings {
  /**
   * Asks holds about the HELD ones of these payments, and applies how they ended. Returns true if the caller has to read them
   * again. Asks nothing within 100 ms of hearing that no hand-over was missed, except about a hold past its end: the sweep hands
   * nothing over. While holds is away, our copies are shown.
   */
  apply(rows: PaymentRow[]): Promise<boolean>;
}

export function createMissedEndings(options: {
  db: Database;
  holds: ServiceClient;
  clock: Clock;
  log: Log;
}): MissedEndings {
  const { db, holds, clock, log } = options;
  const handlers = eventHandlers(holdHandlers);
  let upToDateUntil = 0;
  let awayUntil = 0;
  const ask = async (ids: string[]): Promise<boolean> => {
    const begun = performance.now();
    const query = ids.map((id) => `id=${id}`).join('&');
    const answer = await holds.get(`/internal/hold-endings?${query}`, begun + WITHIN_MS);
    const { events, someMissed } = holdEndings.parse(answer);
    if (!someMissed) upToDateUntil = begun + NOTHING_MISSED_MS;
    await receiveEvents(db, handlers, events.map(parseEnvelope));
    return events.length > 0;
  };
  return {
    apply: async (rows) => {
      const held = rows.filter(({ status }) => status === 'HELD');
      const now = performance.now();
      const isUpToDate = now < upToDateUntil && !held.some((row) => hasEnded(row, clock.now()));
      if (held.length === 0 || isUpToDate || now < awayUntil) return false;
      const questions = Array.from({ length: Math.ceil(held.length / IN_QUESTION) }, (_, i) =>
        held.slice(i * IN_QUESTION, (i + 1) * IN_QUESTION).map(({ id }) => id),
      );
      try {
        return (await Promise.all(questions.map(ask))).includes(true);
      } catch (error) {
        awayUntil = performance.now() + AWAY_MS;
        log.warn({ error, event: 'hold_endings_not_learned' }, 'holds are shown as payments knows them');
        return false;
      }
    },
  };
}

const hasEnded = ({ captureBefore, holdExpiresAt }: PaymentRow, now: Date): boolean =>
  [captureBefore, holdExpiresAt].some((end) => end !== null && end <= now);
