import { idParams } from '../ids.ts';
import { offsetListOf } from '../paging.ts';
import { captureBody, chargeBody, emptyBody, payment, paymentQuery } from '../payments.ts';
import type { RouteContract } from '../route.ts';
import { refunding } from './refunding.ts';
import { MONEY_MS, READ_MS } from './time-limits.ts';

const params = idParams('id', 'paymentId');

export const chargePaymentMethod = {
  method: 'POST',
  path: '/payment-method/:id/payment',
  who: 'merchant',
  service: 'payments',
  lane: 'money',
  timeLimitMs: MONEY_MS,
  summary: 'Charge a saved card, or hold funds on it',
  params: idParams('id'),
  body: { json: chargeBody },
  answers: {
    201: {
      means: 'CONFIRMED, or HELD with holdFunds; the original payment where the externalId was used before.',
      json: payment,
    },
    202: { means: 'PENDING: the bank’s answer is not known yet; Location will show it.', json: payment },
  },
  refusals: [
    'PAYMENT_METHOD_NOT_FOUND',
    'CHARGE_DECLINED',
    'EXTERNAL_ID_MISMATCH',
    'CHARGE_IN_PROGRESS',
    'PAYMENT_METHOD_NOT_ACTIVE',
    'FEE_CHANNEL_UNKNOWN',
    'NOT_OFFERED_BY_ACQUIRER',
    'BANK_UNAVAILABLE',
  ],
} as const satisfies RouteContract;

export const listPayments = {
  method: 'GET',
  path: '/payment-method/:id/payment',
  who: 'merchant',
  people: 'read',
  service: 'payments',
  lane: 'read',
  timeLimitMs: READ_MS,
  summary: 'List the payments of a saved card, newest first',
  params: idParams('id'),
  query: paymentQuery,
  answers: { 200: { means: 'A page of payments.', json: offsetListOf(payment) } },
  refusals: ['PAYMENT_METHOD_NOT_FOUND'],
} as const satisfies RouteContract;

export const getPayment = {
  method: 'GET',
  path: '/payment-method/:id/payment/:paymentId',
  who: 'merchant',
  people: 'read',
  service: 'payments',
  lane: 'read',
  timeLimitMs: READ_MS,
  summary: 'Read a payment of a saved card',
  params,
  answers: { 200: { means: 'The payment.', json: payment } },
  refusals: ['PAYMENT_METHOD_NOT_FOUND', 'PAYMENT_NOT_FOUND'],
} as const satisfies RouteContract;

export const refundPayment = {
  method: 'POST',
  path: '/payment-method/:id/payment/:paymentId/refund',
  who: 'merchant',
  people: 'operate',
  service: 'payments',
  lane: 'money',
  timeLimitMs: MONEY_MS,
  summary: 'Refund a confirmed payment in full',
  params,
  body: refunding.body,
  answers: refunding.answers,
  refusals: [
    'PAYMENT_METHOD_NOT_FOUND',
    'PAYMENT_NOT_FOUND',
    ...refunding.refusals,
    'CAPTURE_IN_PROGRESS',
    'RELEASE_IN_PROGRESS',
  ],
} as const satisfies RouteContract;

export const captureHold = {
  method: 'POST',
  path: '/payment-method/:id/payment/:paymentId/capture',
  who: 'merchant',
  people: 'operate',
  service: 'holds',
  lane: 'money',
  timeLimitMs: MONEY_MS,
  summary: 'Capture a hold, whole or in part',
  params,
  body: { json: captureBody },
  answers: {
    200: { means: 'CONFIRMED.', json: payment },
    202: { means: 'Still HELD: the bank’s answer is not known yet; Location will show it.', json: payment },
  },
  refusals: [
    'PAYMENT_METHOD_NOT_FOUND',
    'PAYMENT_NOT_FOUND',
    'PAYMENT_METHOD_MISMATCH',
    'INVALID_CAPTURE_AMOUNT',
    'CAPTURE_AMOUNT_EXCEEDS_HOLD',
    'CAPTURE_DECLINED',
    'PAYMENT_NOT_HELD',
    'CAPTURE_IN_PROGRESS',
    'RELEASE_IN_PROGRESS',
    'HOLD_WINDOW_CLOSED',
    'HOLD_CHANNEL_UNKNOWN',
    'BANK_UNAVAILABLE',
  ],
} as const satisfies RouteContract;

export const releaseHold = {
  method: 'POST',
  path: '/payment-method/:id/payment/:paymentId/release',
  who: 'merchant',
  people: 'operate',
  service: 'holds',
  lane: 'money',
  timeLimitMs: MONEY_MS,
  summary: 'Release a hold without capturing it',
  repeatable: true,
  params,
  body: { json: emptyBody },
  answers: {
    200: { means: 'HOLD_RELEASED, also where it was released before.', json: payment },
    202: { means: 'Still HELD: the bank’s answer is not known yet; Location will show it.', json: payment },
  },
  refusals: [
    'PAYMENT_METHOD_NOT_FOUND',
    'PAYMENT_NOT_FOUND',
    'PAYMENT_METHOD_MISMATCH',
    'RELEASE_DECLINED',
    'PAYMENT_NOT_HELD',
    'CAPTURE_IN_PROGRESS',
    'RELEASE_IN_PROGRESS',
    'BANK_UNAVAILABLE',
  ],
} as const satisfies RouteContract;
