import { organizationChange, organizationProfile } from '../organizations.ts';
import type { RouteContract } from '../route.ts';
import { MONEY_MS, READ_MS } from './time-limits.ts';

/** The gateway keeps the record, and answers these routes itself. */
const ofMerchant = { who: 'merchant', service: 'gateway' } as const;
const reads = { ...ofMerchant, method: 'GET', people: 'read', lane: 'read', timeLimitMs: READ_MS } as const;

export const getOrganization = {
  ...reads,
  path: '/organization',
  summary: 'Read the merchant’s profile',
  answers: { 200: { means: 'The profile.', json: organizationProfile } },
  refusals: ['NOT_FOUND'],
} as const satisfies RouteContract;

export const changeOrganization = {
  ...ofMerchant,
  method: 'PATCH',
  path: '/organization',
  people: 'own',
  lane: 'money',
  timeLimitMs: MONEY_MS,
  summary: 'Change the merchant’s profile',
  repeatable: true,
  body: { json: organizationChange },
  answers: { 200: { means: 'The profile as it is now. Checkouts show it at once.', json: organizationProfile } },
  refusals: ['NOT_FOUND'],
} as const satisfies RouteContract;

export const readDeveloperOrganization = {
  ...reads,
  path: '/developer/v1/organization',
  summary: 'Read the merchant’s profile',
  answers: { 200: { means: 'The profile.', json: organizationProfile } },
  refusals: ['NOT_FOUND'],
} as const satisfies RouteContract;
