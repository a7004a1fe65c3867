import { join } from 'node:path';
import { eventTypes } from '@cobro/contracts/events.ts';
import type { ServiceDefinition } from '@cobro/frame/definition.ts';
import { cursorConfig } from '@cobro/service-kit/config.ts';

/** What merchants and partners read, projected from every event. */
export const reporting = {
  name: 'reporting',
  config: cursorConfig,
  migrations: join(import.meta.dirname, '../migrations'),
  calls: [],
  follows: eventTypes,
  ownConnections: { 'reads of merchants': 10, 'reads of partners': 6 },
  usesBank: false,
  keepsJournal: false,
} as const satisfies ServiceDefinition;
