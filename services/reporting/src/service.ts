import { join } from 'node:path';
import { eventTypes } from '@cobro/contracts/events.ts';
import type { ServiceDefinition } from '@cobro/frame/definition.ts';
import { secretKey } from '@cobro/service-kit/config.ts';

/** What merchants and partners read, projected from every event. */
export const reporting = {
  name: 'reporting',
  config: {
    CURSOR_KEY: secretKey.describe(
      '32 bytes in base64: HMAC key of the list cursors; the same in all replicas. Secret.',
    ),
  },
  migrations: join(import.meta.dirname, '../migrations'),
  calls: [],
  follows: eventTypes,
  usesBank: false,
  keepsJournal: false,
} as const satisfies ServiceDefinition;
