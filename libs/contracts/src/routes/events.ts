import { eventPage, eventQuery, partnerEventQuery } from '../event-feed.ts';
import { idParams } from '../ids.ts';
import { outwardEvent } from '../outward-events.ts';
import { partnerListOf } from '../partner-payments.ts';
import type { RouteContract } from '../route.ts';
import { FEED_MS, READ_MS } from './time-limits.ts';

export const listEvents = {
  method: 'GET',
  path: '/event',
  who: 'merchant',
  people: 'read',
  service: 'webhooks',
  lane: 'poll',
  timeLimitMs: FEED_MS,
  summary: 'Walk what happened in the last 30 days by cursor, oldest first, and wait for more',
  query: eventQuery,
  answers: { 200: { means: 'The events after the cursor.', json: eventPage } },
  refusals: ['INVALID_CURSOR'],
} as const satisfies RouteContract;

export const readEvent = {
  method: 'GET',
  path: '/event/:id',
  who: 'merchant',
  people: 'read',
  service: 'webhooks',
  lane: 'read',
  timeLimitMs: READ_MS,
  summary: 'Read an event',
  params: idParams('id'),
  answers: { 200: { means: 'The event.', json: outwardEvent } },
  refusals: ['EVENT_NOT_FOUND'],
} as const satisfies RouteContract;

export const listPartnerEvents = {
  method: 'GET',
  path: '/developer/event',
  who: 'partner',
  people: 'read',
  service: 'webhooks',
  lane: 'read',
  timeLimitMs: READ_MS,
  summary: 'List the events of the sales partner’s organizations, newest first',
  query: partnerEventQuery,
  answers: { 200: { means: 'A page of events.', json: partnerListOf(outwardEvent) } },
  refusals: [],
} as const satisfies RouteContract;
