import { z } from 'zod';
import { apiKey, apiKeyBody, createdApiKey, rollBody } from '../api-keys.ts';
import { idParams } from '../ids.ts';
import { offsetListOf, offsetPage } from '../paging.ts';
import { emptyBody } from '../payments.ts';
import type { RouteContract } from '../route.ts';
import { MONEY_MS, READ_MS } from './time-limits.ts';

/** Keys of a merchant or sales partner. Only its owners may call these routes, by the dashboard: no key can make another. */
const ofOwner = { who: 'person', people: 'own', service: 'gateway' } as const;
const reads = { ...ofOwner, lane: 'read', timeLimitMs: READ_MS } as const;
const writes = { ...ofOwner, lane: 'money', timeLimitMs: MONEY_MS } as const;
const params = idParams('id');
const shown = { means: 'The key. It is shown in this answer alone.', json: createdApiKey } as const;
const unknown = ['API_KEY_NOT_FOUND'] as const;
const making = ['RATE_LIMIT_EXCEEDED', 'EXTERNAL_ID_MISMATCH', 'API_KEY_SHOWN_BEFORE'] as const;

export const listApiKeys = {
  ...reads,
  method: 'GET',
  path: '/api-key',
  summary: 'List keys that were not deleted, newest first',
  query: z.strictObject(offsetPage),
  answers: { 200: { means: 'A page of keys.', json: offsetListOf(apiKey) } },
  refusals: [],
} as const satisfies RouteContract;

export const createApiKey = {
  ...writes,
  method: 'POST',
  path: '/api-key',
  summary: 'Make a key',
  body: { json: apiKeyBody },
  answers: { 201: shown },
  refusals: ['NOT_FOUND', ...making],
} as const satisfies RouteContract;

export const revokeApiKey = {
  ...writes,
  method: 'POST',
  path: '/api-key/:id/revoke',
  summary: 'End a key for good, within a second',
  repeatable: true,
  params,
  body: { json: emptyBody },
  answers: { 200: { means: 'The key, which is REVOKED.', json: apiKey } },
  refusals: unknown,
} as const satisfies RouteContract;

export const rollApiKey = {
  ...writes,
  method: 'POST',
  path: '/api-key/:id/roll',
  summary: 'Make a key in the place of another, which ends now or later',
  params,
  body: { json: rollBody },
  answers: { 201: shown },
  refusals: [...unknown, 'API_KEY_NOT_ACTIVE', ...making],
} as const satisfies RouteContract;

export const deleteApiKey = {
  ...writes,
  method: 'DELETE',
  path: '/api-key/:id',
  summary: 'End a key for good, and show it no more',
  repeatable: true,
  params,
  answers: { 200: { means: 'Deleted.', json: z.strictObject({ success: z.boolean() }) } },
  refusals: unknown,
} as const satisfies RouteContract;
