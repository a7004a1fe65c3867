import { join } from 'node:path';
import type { ServiceDefinition } from '@cobro/frame/definition.ts';
import { number, secretKey } from '@cobro/service-kit/config.ts';

/** Payment intents and the terminals that pick them up. */
export const intents = {
  name: 'intents',
  config: {
    TAP_KEY: secretKey.describe(
      '32 bytes in base64: AES-256-GCM key of a tapped card’s single-use token on its way from intents to payments; the same in both. Secret.',
    ),
    CARD_FINGERPRINT_KEY: secretKey.describe(
      '32 bytes in base64: HMAC key of the fingerprint that tells two cards apart. Secret.',
    ),
    INTENT_LIFETIME_MINUTES: number(15).describe('How long after its creation an intent can be taken and paid.'),
  },
  migrations: join(import.meta.dirname, '../migrations'),
  calls: ['payments'],
  follows: ['PaymentConfirmed', 'PaymentDeclined', 'PaymentRefunded', 'OrganizationRegistered', 'OrganizationChanged'],
  usesBank: true,
  keepsJournal: false,
} as const satisfies ServiceDefinition;
