import { join } from 'node:path';
import type { ServiceDefinition } from '@cobro/frame/definition.ts';
import { secretKeys } from '@cobro/service-kit/config.ts';

/** What happened, as merchants and partners are shown it, and sent to merchants' own addresses. */
export const webhooks = {
  name: 'webhooks',
  config: {
    WEBHOOK_KEY: secretKeys.describe('Key ring: AES-256-GCM key of the secrets of webhook endpoints at rest. Secret.'),
  },
  migrations: join(import.meta.dirname, '../migrations'),
  calls: ['payments'],
  follows: [
    'OrganizationRegistered',
    'OrganizationChanged',
    'PaymentMethodSaved',
    'PaymentMethodRevoked',
    'PaymentMethodExpired',
    'OneTimePaymentPaid',
    'OneTimePaymentCancelled',
    'OneTimePaymentExpired',
    'PaymentConfirmed',
    'PaymentDeclined',
    'PaymentRefunded',
    'HoldPlaced',
    'HoldEnding',
    'HoldCaptured',
    'HoldReleased',
    'HoldExpired',
    'IntentConfirmed',
    'IntentSuperseded',
    'IntentCancelled',
    'IntentExpired',
  ],
  gathersMs: 50,
  ownConnections: { 'reads of events': 5 },
  sendsOutside: true,
  usesBank: false,
  keepsJournal: false,
} as const satisfies ServiceDefinition;
