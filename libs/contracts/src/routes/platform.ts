import { organizationBody, partnerBody, platformOrganization, platformPartner, platformPartners } from '../platform.ts';
import type { RouteContract } from '../route.ts';
import { MONEY_MS, READ_MS } from './time-limits.ts';

/** Actions of people who run the platform, by the dashboard. No key may call them. */
const ofPlatform = { who: 'platform', service: 'gateway' } as const;
const creating = { ...ofPlatform, method: 'POST', lane: 'money', timeLimitMs: MONEY_MS, repeatable: true } as const;

export const listPlatformPartners = {
  ...ofPlatform,
  method: 'GET',
  path: '/platform/partner',
  lane: 'read',
  timeLimitMs: READ_MS,
  summary: 'List sales partners by their names',
  answers: { 200: { means: 'The first 500.', json: platformPartners } },
  refusals: [],
} as const satisfies RouteContract;

export const createPlatformPartner = {
  ...creating,
  path: '/platform/partner',
  summary: 'Register a sales partner',
  body: { json: partnerBody },
  answers: { 201: { means: 'The partner, also where the same request was sent before.', json: platformPartner } },
  refusals: ['EXTERNAL_ID_MISMATCH'],
} as const satisfies RouteContract;

export const createPlatformOrganization = {
  ...creating,
  path: '/platform/organization',
  summary: 'Register a merchant',
  body: { json: organizationBody },
  answers: {
    201: {
      means: 'The organization, also where the same request was sent before and nothing has changed since.',
      json: platformOrganization,
    },
  },
  refusals: ['EXTERNAL_ID_MISMATCH'],
} as const satisfies RouteContract;
