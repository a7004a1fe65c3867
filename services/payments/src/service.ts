import { join } from 'node:path';
import type { ServiceDefinition } from '@cobro/frame/definition.ts';
import { cursorConfig, redisConfig, secretKeys, tappedCardConfig, url } from '@cobro/service-kit/config.ts';

/** Saved cards, payments and what they are made for: one-time payments, payment links, subscriptions; products, promotions, fees. */
export const payments = {
  name: 'payments',
  config: {
    VAULT_KEY: secretKeys.describe('Key ring: AES-256-GCM key of the vault’s tokens at rest. Secret.'),
    ...tappedCardConfig,
    ...cursorConfig,
    CHECKOUT_BASE_URL: url.describe(
      'Before `/checkout/{id}` in the address that a payer opens: the public origin of the gateway.',
    ),
    CHECKOUT_KEY: secretKeys.describe(
      'Key ring: HMAC key of the tokens of the checkout’s forms; the same in all replicas. Secret.',
    ),
    ...redisConfig,
  },
  migrations: join(import.meta.dirname, '../migrations'),
  calls: ['holds', 'intents'],
  follows: [
    'HoldCaptured',
    'HoldReleased',
    'HoldExpired',
    'IntentPaymentRequested',
    'OrganizationRegistered',
    'OrganizationChanged',
    'SalespersonChanged',
    'BranchChanged',
  ],
  ownConnections: { lists: 4 },
  usesBank: true,
  keepsJournal: true,
} as const satisfies ServiceDefinition;
