import { idParams } from '../ids.ts';
import { paymentTimeline, pendingPayments, pendingQuery } from '../payment-timeline.ts';
import type { RouteContract } from '../route.ts';
import { READ_MS } from './time-limits.ts';

export const listPendingPayments = {
  method: 'GET',
  path: '/payment/pending',
  who: 'merchant',
  people: 'read',
  service: 'payments',
  lane: 'read',
  timeLimitMs: READ_MS,
  summary: 'List what the bank has not answered for a minute',
  query: pendingQuery,
  answers: { 200: { means: 'The payments and what was asked about each, the oldest first.', json: pendingPayments } },
  refusals: [],
} as const satisfies RouteContract;

export const readPaymentTimeline = {
  method: 'GET',
  path: '/payment/:id/timeline',
  who: 'merchant',
  people: 'read',
  service: 'payments',
  lane: 'read',
  timeLimitMs: READ_MS,
  summary: 'Read a payment of any origin, and all that was asked of the bank about it',
  params: idParams('id'),
  answers: { 200: { means: 'The payment and its operations.', json: paymentTimeline } },
  refusals: ['PAYMENT_NOT_FOUND'],
} as const satisfies RouteContract;
