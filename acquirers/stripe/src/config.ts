import { Secret } from '@cobro/contracts/secret.ts';
import { number, processConfig, secretKeys, secretUrl, tlsConfig } from '@cobro/service-kit/config.ts';
import { z } from 'zod';

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

export const config = z.object({
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
    .refine((address) => address.startsWith('https:') || LOOPBACK.test(new URL(address).hostname), {
      error: 'must be https',
    })
    .describe('Where Stripe is. Tests set it.'),
  STRIPE_TIMEOUT_MS: number(6_000).describe('How long one request to Stripe may take; then its outcome is not known.'),
});
