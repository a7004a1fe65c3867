import type { RouteContract } from '../route.ts';
import { bankSettlement, settledDays, settlementQuery } from '../settlements.ts';
import { READ_MS } from './time-limits.ts';

const read = {
  method: 'GET',
  who: 'merchant',
  people: 'read',
  lane: 'read',
  timeLimitMs: READ_MS,
  query: settlementQuery,
  refusals: [],
} as const;

export const reportSettlement = {
  ...read,
  path: '/report/settlement',
  service: 'reporting',
  summary: 'Read what settled and what was refunded on each day of Mexico City',
  answers: { 200: { means: 'The days, the earliest first.', json: settledDays } },
} as const satisfies RouteContract;

export const reportBankSettlement = {
  ...read,
  path: '/report/bank-settlement',
  service: 'payments',
  summary: 'Read what acquirers reported of each day, once it has been reconciled',
  answers: { 200: { means: 'The lines, the earliest day first.', json: bankSettlement } },
} as const satisfies RouteContract;
