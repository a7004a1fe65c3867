import { join } from 'node:path';
import type { ServiceDefinition } from '@cobro/frame/definition.ts';

/** What happened, as merchants and partners are shown it. */
export const webhooks = {
  name: 'webhooks',
  config: {},
  migrations: join(import.meta.dirname, '../migrations'),
  calls: ['payments'],
  follows: [
    'OrganizationRegistered',
    'OrganizationChanged',
    'PaymentMethodSaved',
    'PaymentMethodRevoked',
    'PaymentConfirmed',
    'PaymentDeclined',
    'PaymentRefunded',
    'HoldPlaced',
    'HoldCaptured',
    'HoldReleased',
    'HoldExpired',
    'IntentConfirmed',
    'IntentSuperseded',
    'IntentCancelled',
    'IntentExpired',
  ],
  ownConnections: { 'reads of events': 5 },
  usesBank: false,
  keepsJournal: false,
} as const satisfies ServiceDefinition;
