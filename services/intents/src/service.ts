import { join } from 'node:path';
import type { ServiceDefinition } from '@cobro/frame/definition.ts';
import { cursorConfig, number, redisConfig, tappedCardConfig } from '@cobro/service-kit/config.ts';

/** Payment intents and the terminals that take them. */
export const intents = {
  name: 'intents',
  config: {
    ...tappedCardConfig,
    ...cursorConfig,
    INTENT_LIFETIME_MINUTES: number(15).describe('How long after its creation an intent can be taken and paid.'),
    ...redisConfig,
  },
  migrations: join(import.meta.dirname, '../migrations'),
  calls: ['payments'],
  follows: ['PaymentConfirmed', 'PaymentDeclined', 'PaymentRefunded', 'OrganizationRegistered', 'OrganizationChanged'],
  followsIntentsOnly: true,
  ownConnections: { 'hearing of intents and outcomes': 1, lists: 4 },
  usesBank: true,
  keepsJournal: false,
} as const satisfies ServiceDefinition;
