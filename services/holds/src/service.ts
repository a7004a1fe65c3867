import { join } from 'node:path';
import type { ServiceDefinition } from '@cobro/frame/definition.ts';

/** Holds from their placing to their end: capture, release, expiry. */
export const holds = {
  name: 'holds',
  config: {},
  migrations: join(import.meta.dirname, '../migrations'),
  calls: ['payments'],
  follows: ['HoldPlaced'],
  usesBank: true,
  keepsJournal: true,
} as const satisfies ServiceDefinition;
