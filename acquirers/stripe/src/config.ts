import { Secret } from '@cobro/contracts/secret.ts';
import { isEncrypted, number, processConfig, secretKeys, secretUrl, tlsConfig } from '@cobro/service-kit/config.ts';
import { z } from 'zod';

const variables = z.object({
  ...processConfig,
  ...tlsConfig,
  DATABASE_URL: secretUrl.describe(
    'Postgres, as the role that reads and writes the rows of the schema stripe. Secret.',
  ),
  ACCEPTED_TOKENS: z
    .string()
    .min(1)
    .transform((list) => list.split(',').map((token) => new Secret(token)))
    .refine((tokens) => tokens.length <= 2, { error: 'must be one token, or two with a comma' })
    .describe('The bearer tokens of which each request needs one: one, or two with a comma. Secret.'),
  CARD_FINGERPRINT_KEY: secretKeys.describe(
    'Key ring: HMAC key of the hash by which a repeated card is recognized. The adapter’s own. Secret.',
  ),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_(live|test)_\w+$/, { error: 'must be a secret key of Stripe, as sk_test_…' })
    .transform((key) => ({ key: new Secret(key), isLive: key.includes('_live_') }))
    .describe('Secret or restricted key of the one Stripe account behind this adapter. Secret.'),
  STRIPE_URL: z
    .url()
    .default('https://api.stripe.com')
    .describe('Where Stripe is. Tests set it; with a live key it is https.'),
  STRIPE_TIMEOUT_MS: number(6_000).describe('How long one request to Stripe may take; then its outcome is not known.'),
});

/** A live key requires https, as `KEY_MODE` does elsewhere; with a test key, Stripe takes no real cards. */
export const config = variables.refine((env) => !env.STRIPE_SECRET_KEY.isLive || isEncrypted(env.STRIPE_URL), {
  path: ['STRIPE_URL'],
  error: 'must be https, because STRIPE_SECRET_KEY is live',
});
