import { idParams } from '../ids.ts';
import {
  cancelledOneTimePayment,
  createdOneTimePayment,
  oneTimePayment,
  oneTimePaymentAttemptBody,
  oneTimePaymentBody,
  oneTimePaymentQuery,
  oneTimePaymentRecord,
  paidOneTimePayment,
  publicCheckoutView,
} from '../one-time-payments.ts';
import { offsetListOf } from '../paging.ts';
import { emptyBody } from '../payments.ts';
import type { RouteContract } from '../route.ts';
import { refunding } from './refunding.ts';
import { MONEY_MS, READ_MS } from './time-limits.ts';

const params = idParams('id');

export const createOneTimePayment = {
  method: 'POST',
  path: '/one-time-payment',
  who: 'merchant',
  people: 'operate',
  service: 'payments',
  lane: 'money',
  timeLimitMs: MONEY_MS,
  summary: 'Create a one-time payment',
  body: { json: oneTimePaymentBody },
  answers: {
    201: {
      means: 'The one-time payment, or the original one where the externalId was used before.',
      json: createdOneTimePayment,
    },
  },
  refusals: ['EXTERNAL_ID_MISMATCH', 'SALESPERSON_NOT_FOUND', 'SALESPERSON_NOT_ACTIVE'],
} as const satisfies RouteContract;

export const listOneTimePayments = {
  method: 'GET',
  path: '/one-time-payment',
  who: 'merchant',
  people: 'read',
  service: 'payments',
  lane: 'read',
  timeLimitMs: READ_MS,
  summary: 'List one-time payments, newest first',
  query: oneTimePaymentQuery,
  answers: { 200: { means: 'A page of one-time payments.', json: offsetListOf(oneTimePayment) } },
  refusals: [],
} as const satisfies RouteContract;

export const viewOneTimePayment = {
  method: 'GET',
  path: '/one-time-payment/:id',
  who: 'public',
  service: 'payments',
  lane: 'read',
  timeLimitMs: READ_MS,
  summary: 'See a one-time payment as its payer does',
  params,
  answers: {
    200: { means: 'What is to be paid, or only its state once it cannot be paid any more.', json: publicCheckoutView },
  },
  refusals: ['ONE_TIME_PAYMENT_NOT_FOUND'],
} as const satisfies RouteContract;

export const readOneTimePayment = {
  method: 'GET',
  path: '/one-time-payment/:id/record',
  who: 'merchant',
  people: 'read',
  service: 'payments',
  lane: 'read',
  timeLimitMs: READ_MS,
  summary: 'Read a one-time payment as its merchant does',
  params,
  answers: { 200: { means: 'The one-time payment, and the payment that paid it.', json: oneTimePaymentRecord } },
  refusals: ['ONE_TIME_PAYMENT_NOT_FOUND'],
} as const satisfies RouteContract;

export const cancelOneTimePayment = {
  method: 'PATCH',
  path: '/one-time-payment/:id/cancel',
  who: 'merchant',
  people: 'operate',
  service: 'payments',
  lane: 'money',
  timeLimitMs: MONEY_MS,
  summary: 'Cancel a one-time payment that has not been paid',
  repeatable: true,
  params,
  body: { json: emptyBody },
  answers: { 200: { means: 'CANCELLED, also where it was cancelled before.', json: cancelledOneTimePayment } },
  refusals: ['ONE_TIME_PAYMENT_NOT_FOUND', 'ONE_TIME_PAYMENT_NOT_PENDING', 'PAYMENT_IN_PROGRESS'],
} as const satisfies RouteContract;

export const payOneTimePayment = {
  method: 'POST',
  path: '/one-time-payment/:id/payment',
  who: 'public',
  service: 'payments',
  lane: 'money',
  timeLimitMs: MONEY_MS,
  summary: 'Pay a one-time payment',
  params,
  body: { json: oneTimePaymentAttemptBody },
  answers: {
    201: { means: 'Paid.', json: paidOneTimePayment },
    202: { means: 'The bank’s answer is not known yet; Location will show it.', json: publicCheckoutView },
  },
  refusals: [
    'ONE_TIME_PAYMENT_NOT_FOUND',
    'CHARGE_DECLINED',
    'ONE_TIME_PAYMENT_NOT_PENDING',
    'ONE_TIME_PAYMENT_EXPIRED',
    'PAYMENT_IN_PROGRESS',
    'FEE_CHANNEL_UNKNOWN',
    'TERMS_NOT_AVAILABLE',
    'TOO_MANY_ATTEMPTS',
    'NOT_OFFERED_BY_ACQUIRER',
    'BANK_UNAVAILABLE',
  ],
} as const satisfies RouteContract;

export const refundOneTimePayment = {
  method: 'POST',
  path: '/one-time-payment/:id/refund',
  who: 'merchant',
  people: 'operate',
  service: 'payments',
  lane: 'money',
  timeLimitMs: MONEY_MS,
  summary: 'Refund a one-time payment in full',
  params,
  body: refunding.body,
  answers: refunding.answers,
  refusals: ['ONE_TIME_PAYMENT_NOT_FOUND', ...refunding.refusals],
} as const satisfies RouteContract;
