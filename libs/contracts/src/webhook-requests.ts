import { z } from 'zod';
import { uuid } from './ids.ts';
import { webAddress } from './checkout.ts';
import { outwardTypes, typePattern } from './outward-events.ts';
import { limit, offsetPage } from './paging.ts';
import { must, opaque, optional, text, textOrNull, time } from './text.ts';
import { endpoint } from './webhook-endpoint.ts';

/** The rules by which `@cobro/outbound` refuses an address. */
const WHERE_TO = 'must be https; must not hold a user or password; must lead to a public address';
const url = webAddress
  .meta({ description: `must be an http or https URL; ${WHERE_TO}` })
  .transform((address) => new URL(address).href);
const types = z
  .array(typePattern, must('be a list of types of event'))
  .min(1, { error: 'must name a type of event' })
  .max(50, { error: 'must have at most 50 entries' })
  .transform((given) => [...new Set(given)]);

/** Body of POST /webhook-endpoint. */
export const endpointBody = z.strictObject({ url, types, description: optional(text(500)) });

/** Body of PATCH /webhook-endpoint/{id}. Absent fields stay. ENABLED gets what waits; DISABLED gets nothing new. */
export const endpointChanges = z.strictObject({
  url: optional(url),
  types: optional(types),
  description: text(500).nullable().optional(),
  status: optional(z.enum(['ENABLED', 'DISABLED'], { error: 'must be ENABLED or DISABLED' })),
});

const secret = z.string().meta({ description: 'Shown here and never again: verifies webhook-signature.' });
export const createdEndpoint = z.strictObject({ ...endpoint.shape, secret }).meta({ id: 'CreatedWebhookEndpoint' });
export const newSecret = z.strictObject({ secret });

export const endpointQuery = z.strictObject(offsetPage);

const DAY_S = 86_400;
/** Body of POST /webhook-endpoint/{id}/secret. While both secrets live, both sign requests. */
export const turnSecretBody = z.strictObject({
  oldLivesForSeconds: optional(
    z
      .int({ error: `must be a whole number from 0 to ${DAY_S}` })
      .min(0)
      .max(DAY_S),
  ),
});

const deliveryStatuses = ['PENDING', 'DELIVERED'] as const;

/** An event on its way to an endpoint. */
export const delivery = z
  .strictObject({
    id: z.uuid(),
    eventId: z.uuid(),
    type: z.enum(outwardTypes),
    status: z.enum(deliveryStatuses),
    attempts: z.int(),
    createdAt: time,
    lastAttemptAt: time.nullable(),
    /** Null if it was delivered. */
    nextAttemptAt: time.nullable(),
    /** The endpoint's last answer; null if none came. */
    responseStatus: z.int().nullable(),
    /** The beginning of that answer, without control characters. */
    responseBody: textOrNull,
    /** Why no answer came. */
    error: textOrNull,
  })
  .meta({ id: 'WebhookDelivery' });
export type WebhookDelivery = z.output<typeof delivery>;

export const deliveryQuery = z.strictObject({
  limit,
  cursor: opaque.optional(),
  status: z.enum(deliveryStatuses, { error: `must be one of ${deliveryStatuses.join(', ')}` }).optional(),
});

export const deliveryParams = z.object({ id: uuid, deliveryId: uuid });

/** Body of POST /webhook-endpoint/{id}/replay. `types` are the endpoint's by default. */
export const replayBody = z.strictObject({
  since: z.iso.datetime({ offset: true, error: 'must be a date-time with offset' }).transform((iso) => new Date(iso)),
  types: optional(types),
});
/** `until`: the `since` of the next request; null if no more follow. */
export const replayed = z.strictObject({ count: z.int(), until: time.nullable() });

export const testBody = z.strictObject({
  type: z.enum(outwardTypes, { error: `must be one of ${outwardTypes.join(', ')}` }),
});
