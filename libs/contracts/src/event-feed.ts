import { z } from 'zod';
import { comparedUuid, uuid } from './ids.ts';
import { COUNTED_MATCHES } from './partner-payments.ts';
import { outwardEvent, typePattern } from './outward-events.ts';
import { limit, repeatable, wholeNumber } from './paging.ts';
import { opaque } from './text.ts';

/** How long a request may wait for an event. */
const LONGEST_WAIT_S = 30;

const filters = { type: repeatable(typePattern), objectId: uuid.optional() };

/** As `after`: the walk begins with the next event that happens. */
export const LATEST = 'latest';

const orders = ['oldest', 'newest'] as const;

/**
 * Query of GET /event. `after` is the `nextCursor` of an answer; without it the walk begins at the oldest event that is kept, or with
 * `order=newest` at the newest. With `order=newest` no request waits.
 */
export const eventQuery = z.strictObject({
  after: opaque.optional().meta({ description: `nextCursor of an answer; \`${LATEST}\`: behind the newest event` }),
  limit,
  ...filters,
  order: z.enum(orders, { error: `must be one of ${orders.join(', ')}` }).optional(),
  waitSeconds: z
    .string()
    .regex(/^(?:\d|[12]\d|30)$/, { error: `must be a whole number from 0 to ${LONGEST_WAIT_S}` })
    .transform(Number)
    .optional()
    .transform((seconds) => seconds ?? 0)
    .meta({ override: { type: 'integer', minimum: 0, maximum: LONGEST_WAIT_S, default: 0 } }),
});

/** Query of the sales partner's GET /developer/event. */
export const partnerEventQuery = z.strictObject({
  limit,
  offset: wholeNumber(0, COUNTED_MATCHES, 0),
  organizationId: repeatable(comparedUuid),
  ...filters,
});

/**
 * A page of the feed. `nextCursor` is where the next page begins. Oldest first, it is there even without a next page (`hasMore` false),
 * unless no event was ever kept. Newest first, it is null after the last page. A page may have fewer events than `limit`, or none,
 * although there are more.
 */
export const eventPage = z
  .strictObject({
    data: z.array(outwardEvent),
    pagination: z.strictObject({ limit: z.int(), hasMore: z.boolean(), nextCursor: z.string().nullable() }),
  })
  .meta({ id: 'EventPage' });
