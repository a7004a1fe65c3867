import { changedFees, feeChannels, feesToSet, feeToRemove, organizationParams } from '../fee-channels.ts';
import type { RouteContract } from '../route.ts';
import { MONEY_MS, READ_MS } from './time-limits.ts';

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

const ofPlatform = { who: 'platform', service: 'payments', params: organizationParams } as const;
const changing = {
  ...ofPlatform,
  method: 'POST',
  lane: 'money',
  timeLimitMs: MONEY_MS,
  repeatable: true,
  answers: { 200: { means: 'The whole fee table of the organization, and the rows that changed.', json: changedFees } },
  refusals: ['NOT_FOUND'],
} as const;

export const listFeesOf = {
  ...ofPlatform,
  method: 'GET',
  path: '/platform/organization/:organizationId/fee-channel',
  lane: 'read',
  timeLimitMs: READ_MS,
  summary: 'Read the fees of an organization',
  answers: { 200: { means: 'The whole fee table of the organization, in percent.', json: feeChannels } },
  refusals: ['NOT_FOUND'],
} as const satisfies RouteContract;

export const setFeesOf = {
  ...changing,
  path: '/platform/organization/:organizationId/fee-channel',
  summary: 'Write rows of an organization’s fee table, for payments from now on',
  body: { json: feesToSet },
} as const satisfies RouteContract;

export const removeFeeOf = {
  ...changing,
  path: '/platform/organization/:organizationId/fee-channel/remove',
  summary: 'Take a row of an organization’s fee table away',
  body: { json: feeToRemove },
} as const satisfies RouteContract;
