import { developerPayment, developerPaymentItem, developerPaymentQuery } from '../developer-payments.ts';
import { idParams } from '../ids.ts';
import { cursorListOf } from '../paging.ts';
import { partnerListOf, partnerPayment, partnerPaymentQuery } from '../partner-payments.ts';
import type { RouteContract } from '../route.ts';
import { READ_MS } from './time-limits.ts';

export const listDeveloperPayments = {
  method: 'GET',
  path: '/developer/v1/payment',
  who: 'merchant',
  people: 'read',
  service: 'reporting',
  lane: 'read',
  timeLimitMs: READ_MS,
  summary: 'Walk the merchant’s payments by cursor, newest first',
  query: developerPaymentQuery,
  answers: { 200: { means: 'A page of payments with an outcome.', json: cursorListOf(developerPaymentItem) } },
  refusals: ['INVALID_CURSOR'],
} as const satisfies RouteContract;

export const readDeveloperPayment = {
  method: 'GET',
  path: '/developer/v1/payment/:id',
  who: 'merchant',
  people: 'read',
  service: 'reporting',
  lane: 'read',
  timeLimitMs: READ_MS,
  summary: 'Read a payment in full',
  params: idParams('id'),
  answers: { 200: { means: 'The payment.', json: developerPayment } },
  refusals: ['PAYMENT_NOT_FOUND'],
} as const satisfies RouteContract;

export const listPartnerPayments = {
  method: 'GET',
  path: '/developer/payment',
  who: 'partner',
  people: 'read',
  service: 'reporting',
  lane: 'read',
  timeLimitMs: READ_MS,
  summary: 'List the payments of the sales partner’s organizations, newest first',
  query: partnerPaymentQuery,
  answers: { 200: { means: 'A page of payments with an outcome.', json: partnerListOf(partnerPayment) } },
  refusals: [],
} as const satisfies RouteContract;
