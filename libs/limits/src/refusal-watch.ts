import { randomUUID } from 'node:crypto';
import { gaugeOf } from '@cobro/metrics/instruments.ts';
import { dropFromFront, putLast } from './bounded-map.ts';
import type { Log } from './log.ts';
import type { Redis } from './redis.ts';
import { createSharedSlots } from './shared-slots.ts';

/** With this many refused cards of one merchant, an operator should look (interface-decisions.md, "abuse"). */
const MANY = 50;
const WINDOW_MS = 10 * 60_000;
const MOST_MERCHANTS = 10_000;

/** Watches for merchants with many cards refused on saving. Refuses nothing. */
export interface RefusalWatch {
  /** Counts a card of the organization that was refused. Takes 70 ms at most, and never rejects. */
  refused(organizationId: string): Promise<void>;
}

export function createRefusalWatch({ redis, log }: { redis: Redis; log: Log }): RefusalWatch {
  const slots = createSharedSlots({ redis, windowMs: WINDOW_MS });
  /** When each suspected organization last had a refusal. */
  const suspected = new Map<string, number>();
  gaugeOf('cobro.limits.merchants_suspected', async () => {
    dropFromFront(suspected, (at) => at + WINDOW_MS <= performance.now());
    return suspected.size;
  });
  return {
    refused: async (organizationId) => {
      // A refusal that finds no slot is one of many.
      const full = await slots.reserve(randomUUID(), [{ key: `refusals:merchant:${organizationId}`, most: MANY - 1 }]);
      if (full === undefined) return;
      putLast(suspected, MOST_MERCHANTS, organizationId, performance.now());
      const fields = { organizationId, event: 'many_cards_refused' };
      log.warn(fields, `${MANY} cards of one merchant or more were refused in 10 minutes`);
    },
  };
}
