import { z } from 'zod';
import { textOrNull, time } from './text.ts';

const endpointStatuses = ['ENABLED', 'PAUSED', 'DISABLED'] as const;

/** Where a merchant's events are sent. PAUSED: every try has failed for five days. */
export const endpoint = z
  .strictObject({
    id: z.uuid(),
    url: z.string(),
    types: z.array(z.string()),
    description: textOrNull,
    status: z.enum(endpointStatuses),
    createdAt: time,
    lastDeliveryAt: time.nullable(),
    /** Since when every try has failed. */
    failingSince: time.nullable(),
  })
  .meta({ id: 'WebhookEndpoint' });
export type WebhookEndpoint = z.output<typeof endpoint>;
