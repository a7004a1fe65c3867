import { developerListQuery } from '../developer-lists.ts';
import { idParams } from '../ids.ts';
import { cursorListOf, offsetListOf } from '../paging.ts';
import {
  linkPayment,
  linkPaymentBody,
  paymentLink,
  paymentLinkBody,
  paymentLinkChanges,
  paymentLinkCheckout,
  paymentLinkQuery,
  paymentLinkStatuses,
} from '../payment-links.ts';
import { payment, paymentQuery } from '../payments.ts';
import type { RouteContract } from '../route.ts';
import { refunding } from './refunding.ts';
import { MONEY_MS, READ_MS } from './time-limits.ts';

const params = idParams('id');

export const createPaymentLink = {
  method: 'POST',
  path: '/payment-link',
  who: 'merchant',
  people: 'operate',
  service: 'payments',
  lane: 'money',
  timeLimitMs: MONEY_MS,
  summary: 'Create a payment link',
  body: { json: paymentLinkBody },
  answers: {
    201: { means: 'The payment link, or the original one where the externalId was used before.', json: paymentLink },
  },
  refusals: [
    'EXTERNAL_ID_MISMATCH',
    'PRODUCT_NOT_FOUND',
    'PRODUCT_NOT_ACTIVE',
    'SALESPERSON_NOT_FOUND',
    'SALESPERSON_NOT_ACTIVE',
  ],
} as const satisfies RouteContract;

export const listPaymentLinks = {
  method: 'GET',
  path: '/payment-link',
  who: 'merchant',
  people: 'read',
  service: 'payments',
  lane: 'read',
  timeLimitMs: READ_MS,
  summary: 'List payment links, newest first',
  query: paymentLinkQuery,
  answers: {
    200: {
      means:
        'A page of payment links. With status `count` goes to 10,000; `X-Count-Capped: true` says that there are more.',
      json: offsetListOf(paymentLink),
    },
  },
  refusals: [],
} as const satisfies RouteContract;

export const getPaymentLink = {
  method: 'GET',
  path: '/payment-link/:id',
  who: 'merchant',
  people: 'read',
  service: 'payments',
  lane: 'read',
  timeLimitMs: READ_MS,
  summary: 'Read a payment link',
  params,
  answers: { 200: { means: 'The payment link.', json: paymentLink } },
  refusals: ['PAYMENT_LINK_NOT_FOUND'],
} as const satisfies RouteContract;

export const changePaymentLink = {
  method: 'PATCH',
  path: '/payment-link/:id',
  who: 'merchant',
  people: 'operate',
  service: 'payments',
  lane: 'money',
  timeLimitMs: MONEY_MS,
  summary: 'Change a payment link, or switch it on or off',
  repeatable: true,
  params,
  body: { json: paymentLinkChanges },
  answers: { 200: { means: 'The payment link as it is now.', json: paymentLink } },
  refusals: ['PAYMENT_LINK_NOT_FOUND'],
} as const satisfies RouteContract;

export const viewPaymentLink = {
  method: 'GET',
  path: '/payment-link/:id/checkout',
  who: 'public',
  service: 'payments',
  lane: 'read',
  timeLimitMs: READ_MS,
  summary: 'See a payment link as its payers do',
  params,
  answers: {
    200: { means: 'What is to be paid, or only its status while it cannot be paid.', json: paymentLinkCheckout },
  },
  refusals: ['PAYMENT_LINK_NOT_FOUND'],
} as const satisfies RouteContract;

export const payPaymentLink = {
  method: 'POST',
  path: '/payment-link/:id/payment',
  who: 'public',
  service: 'payments',
  lane: 'money',
  timeLimitMs: MONEY_MS,
  summary: 'Pay a payment link',
  params,
  body: { json: linkPaymentBody },
  answers: {
    201: { means: 'Paid; the original payment where the attemptId was used before.', json: linkPayment },
    202: { means: 'PENDING: the bank’s answer is not known yet; Location will show it.', json: linkPayment },
  },
  refusals: [
    'PAYMENT_LINK_NOT_FOUND',
    'CHARGE_DECLINED',
    'ATTEMPT_MISMATCH',
    'CHARGE_IN_PROGRESS',
    'TOO_MANY_ATTEMPTS',
    'PAYMENT_LINK_NOT_ACTIVE',
    'PAYMENT_LINK_EXPIRED',
    'PAYMENT_LINK_SOLD_OUT',
    'AMOUNT_CHANGED',
    'CARD_DECLINED',
    'TERMS_NOT_AVAILABLE',
    'FEE_CHANNEL_UNKNOWN',
    'NOT_OFFERED_BY_ACQUIRER',
    'BANK_UNAVAILABLE',
  ],
} as const satisfies RouteContract;

export const readLinkAttempt = {
  method: 'GET',
  path: '/payment-link/:id/attempt/:attemptId',
  who: 'public',
  service: 'payments',
  lane: 'read',
  timeLimitMs: READ_MS,
  summary: 'Read what became of an attempt to pay a payment link',
  params: idParams('id', 'attemptId'),
  answers: { 200: { means: 'The payment, also while the bank’s answer is not known yet.', json: linkPayment } },
  refusals: ['PAYMENT_LINK_NOT_FOUND', 'ATTEMPT_NOT_FOUND', 'CHARGE_DECLINED'],
} as const satisfies RouteContract;

export const listLinkPayments = {
  method: 'GET',
  path: '/payment-link/:id/payment',
  who: 'merchant',
  people: 'read',
  service: 'payments',
  lane: 'read',
  timeLimitMs: READ_MS,
  summary: 'List the payments of a payment link, newest first',
  params,
  query: paymentQuery,
  answers: { 200: { means: 'A page of payments.', json: offsetListOf(payment) } },
  refusals: ['PAYMENT_LINK_NOT_FOUND'],
} as const satisfies RouteContract;

export const refundLinkPayment = {
  method: 'POST',
  path: '/payment-link/:id/payment/:paymentId/refund',
  who: 'merchant',
  people: 'operate',
  service: 'payments',
  lane: 'money',
  timeLimitMs: MONEY_MS,
  summary: 'Refund a payment of a payment link in full',
  params: idParams('id', 'paymentId'),
  body: refunding.body,
  answers: refunding.answers,
  refusals: ['PAYMENT_LINK_NOT_FOUND', 'PAYMENT_NOT_FOUND', ...refunding.refusals],
} as const satisfies RouteContract;

export const listDeveloperPaymentLinks = {
  method: 'GET',
  path: '/developer/v1/payment-link',
  who: 'merchant',
  people: 'read',
  service: 'payments',
  lane: 'read',
  timeLimitMs: READ_MS,
  summary: 'Walk the merchant’s payment links by cursor, newest first',
  query: developerListQuery(paymentLinkStatuses),
  answers: { 200: { means: 'A page of payment links.', json: cursorListOf(paymentLink) } },
  refusals: ['INVALID_CURSOR'],
} as const satisfies RouteContract;

export const readDeveloperPaymentLink = {
  ...getPaymentLink,
  path: '/developer/v1/payment-link/:id',
} as const satisfies RouteContract;
