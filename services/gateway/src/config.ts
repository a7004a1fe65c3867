import { number, serviceConfig, signingConfig, port, url } from '@cobro/service-kit/config.ts';
import { z } from 'zod';

export const config = z
  .object({
    ...serviceConfig,
    ...signingConfig,
    /** Listener of the partner API. */
    PARTNER_PORT: port,
    PAYMENTS_URL: url,
    // Routes of a service that this deployment does not have answer 501.
    HOLDS_URL: url.optional(),
    INTENTS_URL: url.optional(),
    REPORTING_URL: url.optional(),
    /** Which merchants' keys this deployment takes; one of the other kind is 401. */
    KEY_MODE: z.enum(['live', 'test']).default('test'),
    /** How long a service may take to answer, in milliseconds. */
    UPSTREAM_TIMEOUT_MS: number(20_000),
  })
  // Nobody calls the gateway in a service's name.
  .omit({ INTERNAL_VERIFY_KEYS: true, CLOCK_URL: true });
