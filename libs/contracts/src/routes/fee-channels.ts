import { feeChannels } from '../fee-channels.ts';
import type { RouteContract } from '../route.ts';
import { READ_MS } from './time-limits.ts';

export const listFeeChannels = {
  method: 'GET',
  path: '/fee-channel',
  who: 'merchant',
  people: 'read',
  service: 'payments',
  lane: 'read',
  timeLimitMs: READ_MS,
  summary: 'Read the fees of each kind of payment',
  answers: { 200: { means: 'The whole fee table, in percent.', json: feeChannels } },
  refusals: [],
} as const satisfies RouteContract;
