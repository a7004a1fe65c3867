import { join } from 'node:path';
import type { ServiceDefinition } from '@cobro/frame/definition.ts';
import { bankProxy, secretKeys } from '@cobro/service-kit/config.ts';
import { z } from 'zod';

/** Shows merchants and partners their outward events, and sends them to merchants' own addresses. */
export const webhooks = {
  name: 'webhooks',
  config: {
    WEBHOOKS_TO_LOOPBACK: z
      .enum(['true', 'false'])
      .default('false')
      .describe(
        'With `true` merchants may have events sent to this machine’s own loopback addresses, and by http: for a stack on a developer’s machine. Refused where `KEY_MODE` is live.',
      ),
    EGRESS_PROXY: bankProxy.describe(
      'Proxy through which merchants’ addresses are reached, by CONNECT to the address that was checked. May hold a user and password. Secret.',
    ),
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
    'PaymentLinkSoldOut',
    'ProductOutOfStock',
    'PromotionAccepted',
    'PromotionEnded',
    'SubscriptionChanged',
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
  gathersMs: 100,
  ownConnections: { 'reads of events': 5, 'the endpoints that it has taken': 1 },
  sendsOutside: true,
  usesBank: false,
  keepsJournal: false,
} as const satisfies ServiceDefinition;
