import { comparedBooksList, openOperations } from '../platform.ts';
import type { RouteContract } from '../route.ts';
import { READ_MS } from './time-limits.ts';

/** Reads for people who run the platform. No key may call them. */
const looking = { who: 'platform', method: 'GET', lane: 'read', timeLimitMs: READ_MS, refusals: [] } as const;

const openOnes = { 200: { means: 'How many there are, and the 50 oldest.', json: openOperations } } as const;

export const listOpenOperations = {
  ...looking,
  service: 'payments',
  path: '/platform/open-operation',
  summary: 'List what acquirers were asked more than a minute ago and have not answered',
  answers: openOnes,
} as const satisfies RouteContract;

export const listOpenHoldOperations = {
  ...looking,
  service: 'holds',
  path: '/platform/open-hold-operation',
  summary: 'List what acquirers were asked about holds more than a minute ago and have not answered',
  answers: openOnes,
} as const satisfies RouteContract;

const compared = {
  200: { means: 'Of each of the books the two weeks up to its last day.', json: comparedBooksList },
} as const;

export const listReconciliations = {
  ...looking,
  service: 'payments',
  path: '/platform/reconciliation',
  summary: 'List what came of comparing the books of acquirers and of counters with ours',
  answers: compared,
} as const satisfies RouteContract;

export const listEventReconciliations = {
  ...looking,
  service: 'webhooks',
  path: '/platform/event-reconciliation',
  summary: 'List what came of comparing what merchants were shown with what happened',
  answers: compared,
} as const satisfies RouteContract;
