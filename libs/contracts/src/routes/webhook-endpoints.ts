import { z } from 'zod';
import { idParams } from '../ids.ts';
import { cursorListOf, offsetListOf } from '../paging.ts';
import { emptyBody } from '../payments.ts';
import type { RouteContract } from '../route.ts';
import { endpoint } from '../webhook-endpoint.ts';
import {
  createdEndpoint,
  delivery,
  deliveryParams,
  deliveryQuery,
  endpointBody,
  endpointChanges,
  endpointQuery,
  newSecret,
  replayBody,
  replayed,
  testBody,
  turnSecretBody,
} from '../webhook-requests.ts';
import { MONEY_MS, READ_MS } from './time-limits.ts';

const ofMerchant = { who: 'merchant', service: 'webhooks' } as const;
const reads = { ...ofMerchant, people: 'read', lane: 'read', timeLimitMs: READ_MS } as const;
const writes = { ...ofMerchant, people: 'own', lane: 'money', timeLimitMs: MONEY_MS } as const;
const params = idParams('id');
const unknown = ['WEBHOOK_ENDPOINT_NOT_FOUND'] as const;

export const createWebhookEndpoint = {
  ...writes,
  method: 'POST',
  path: '/webhook-endpoint',
  summary: 'Have events sent to an address',
  body: { json: endpointBody },
  answers: { 201: { means: 'The endpoint and its secret, which is not shown again.', json: createdEndpoint } },
  refusals: ['TOO_MANY_WEBHOOK_ENDPOINTS', 'WEBHOOK_ENDPOINT_MADE_BEFORE'],
} as const satisfies RouteContract;

export const listWebhookEndpoints = {
  ...reads,
  method: 'GET',
  path: '/webhook-endpoint',
  summary: 'List the addresses to which events are sent, newest first',
  query: endpointQuery,
  answers: { 200: { means: 'A page of endpoints.', json: offsetListOf(endpoint) } },
  refusals: [],
} as const satisfies RouteContract;

export const getWebhookEndpoint = {
  ...reads,
  method: 'GET',
  path: '/webhook-endpoint/:id',
  summary: 'Read an endpoint',
  params,
  answers: { 200: { means: 'The endpoint.', json: endpoint } },
  refusals: unknown,
} as const satisfies RouteContract;

export const changeWebhookEndpoint = {
  ...writes,
  method: 'PATCH',
  path: '/webhook-endpoint/:id',
  summary: 'Change an endpoint, or enable it again',
  repeatable: true,
  params,
  body: { json: endpointChanges },
  answers: { 200: { means: 'The endpoint as it is now.', json: endpoint } },
  refusals: unknown,
} as const satisfies RouteContract;

export const deleteWebhookEndpoint = {
  ...writes,
  method: 'DELETE',
  path: '/webhook-endpoint/:id',
  summary: 'Delete an endpoint with its log',
  params,
  answers: { 200: { means: 'Deleted.', json: z.strictObject({ success: z.boolean() }) } },
  refusals: unknown,
} as const satisfies RouteContract;

export const turnWebhookSecret = {
  ...writes,
  method: 'POST',
  path: '/webhook-endpoint/:id/secret',
  summary: 'Replace the secret of an endpoint',
  params,
  body: { json: turnSecretBody },
  answers: { 200: { means: 'The new secret, which is not shown again.', json: newSecret } },
  refusals: [...unknown, 'WEBHOOK_SECRET_TURNING'],
} as const satisfies RouteContract;

export const listDeliveries = {
  ...reads,
  method: 'GET',
  path: '/webhook-endpoint/:id/delivery',
  summary: 'Walk what was or will be sent to an endpoint, newest first',
  params,
  query: deliveryQuery,
  answers: { 200: { means: 'A page of deliveries.', json: cursorListOf(delivery) } },
  refusals: [...unknown, 'INVALID_CURSOR'],
} as const satisfies RouteContract;

export const resendDelivery = {
  ...writes,
  method: 'POST',
  path: '/webhook-endpoint/:id/delivery/:deliveryId/resend',
  summary: 'Send an event once more, at once',
  params: deliveryParams,
  body: { json: emptyBody },
  answers: { 200: { means: 'The delivery, which is PENDING.', json: delivery } },
  refusals: [...unknown, 'WEBHOOK_DELIVERY_NOT_FOUND'],
} as const satisfies RouteContract;

export const replayEvents = {
  ...writes,
  method: 'POST',
  path: '/webhook-endpoint/:id/replay',
  summary: 'Send the events since a time once more',
  params,
  body: { json: replayBody },
  answers: {
    200: {
      means: 'How many are sent: at most 5,000 of a request, and what happened at the same moment as the last.',
      json: replayed,
    },
  },
  refusals: unknown,
} as const satisfies RouteContract;

export const testWebhookEndpoint = {
  ...writes,
  method: 'POST',
  path: '/webhook-endpoint/:id/test',
  summary: 'Send a sample of a type of event',
  params,
  body: { json: testBody },
  answers: { 200: { means: 'The delivery of the sample.', json: delivery } },
  refusals: unknown,
} as const satisfies RouteContract;
