import { idParams } from '../ids.ts';
import { offsetListOf } from '../paging.ts';
import {
  createdPaymentIntent,
  declineIntentBody,
  intentOutcome,
  intentPaymentBody,
  nextIntent,
  nextIntentQuery,
  nothing,
  paidIntent,
  paymentIntentBody,
  paymentIntentItem,
  paymentIntentQuery,
  paymentIntentState,
  terminalItem,
  terminalQuery,
} from '../payment-intents.ts';
import { emptyBody } from '../payments.ts';
import type { RouteContract } from '../route.ts';
import { refunding } from './refunding.ts';
import { MONEY_MS, POLL_MS, READ_MS } from './time-limits.ts';

const params = idParams('id');

export const createPaymentIntent = {
  method: 'POST',
  path: '/payment-intent',
  who: 'merchant',
  people: 'operate',
  service: 'intents',
  lane: 'money',
  timeLimitMs: MONEY_MS,
  summary: 'Create a payment intent that a terminal takes',
  body: { json: paymentIntentBody },
  answers: {
    201: { means: 'PENDING, or the original intent where the externalId was used before.', json: createdPaymentIntent },
  },
  refusals: ['TERMINAL_NOT_FOUND', 'EXTERNAL_ID_MISMATCH'],
} as const satisfies RouteContract;

export const listPaymentIntents = {
  method: 'GET',
  path: '/payment-intent',
  who: 'merchant',
  people: 'read',
  service: 'intents',
  lane: 'read',
  timeLimitMs: READ_MS,
  summary: 'List payment intents, newest first',
  query: paymentIntentQuery,
  answers: {
    200: {
      means: 'A page of intents. `count` goes to 10,000; `X-Count-Capped: true` says that there are more.',
      json: offsetListOf(paymentIntentItem),
    },
  },
  refusals: ['TERMINAL_NOT_FOUND'],
} as const satisfies RouteContract;

export const listTerminals = {
  method: 'GET',
  path: '/terminal',
  who: 'merchant',
  people: 'read',
  service: 'intents',
  lane: 'read',
  timeLimitMs: READ_MS,
  summary: 'List terminals, with what is open for each and what came of the last card',
  query: terminalQuery,
  answers: { 200: { means: 'A page of terminals, the newest first.', json: offsetListOf(terminalItem) } },
  refusals: [],
} as const satisfies RouteContract;

export const getPaymentIntent = {
  method: 'GET',
  path: '/payment-intent/:id',
  who: 'merchant',
  people: 'read',
  service: 'intents',
  lane: 'read',
  timeLimitMs: READ_MS,
  summary: 'Read the state of an intent',
  params,
  answers: { 200: { means: 'Its state, and the payment made for it.', json: paymentIntentState } },
  refusals: ['PAYMENT_INTENT_NOT_FOUND'],
} as const satisfies RouteContract;

export const cancelPaymentIntent = {
  method: 'POST',
  path: '/payment-intent/:id/cancel',
  who: 'merchant',
  people: 'operate',
  service: 'intents',
  lane: 'money',
  timeLimitMs: MONEY_MS,
  summary: 'Cancel an intent that has not been paid',
  repeatable: true,
  params,
  body: { json: emptyBody },
  answers: { 200: { means: 'CANCELLED, also where it was cancelled before.', json: nothing } },
  refusals: ['PAYMENT_INTENT_NOT_FOUND', 'INTENT_NOT_PENDING', 'INTENT_IN_PROGRESS'],
} as const satisfies RouteContract;

export const refundPaymentIntent = {
  method: 'POST',
  path: '/payment-intent/:id/refund',
  who: 'merchant',
  people: 'operate',
  service: 'payments',
  lane: 'money',
  timeLimitMs: MONEY_MS,
  summary: 'Refund the payment of an intent in full',
  params,
  body: refunding.body,
  answers: refunding.answers,
  refusals: ['PAYMENT_INTENT_NOT_FOUND', ...refunding.refusals],
} as const satisfies RouteContract;

export const nextPaymentIntent = {
  method: 'GET',
  path: '/terminal/v1/payment-intent/next',
  who: 'terminal',
  service: 'intents',
  lane: 'poll',
  timeLimitMs: POLL_MS,
  summary: 'Wait for the next intent of this terminal',
  query: nextIntentQuery,
  answers: {
    200: { means: 'The intent, from now on bound to this terminal.', json: nextIntent },
    204: { means: 'None came.', empty: true },
  },
  refusals: [],
} as const satisfies RouteContract;

export const askPaymentIntent = {
  method: 'GET',
  path: '/terminal/v1/payment-intent/:id',
  who: 'terminal',
  service: 'intents',
  lane: 'read',
  timeLimitMs: READ_MS,
  summary: 'Ask what became of an intent',
  params,
  answers: { 200: { means: 'Its payment, or its status.', json: intentOutcome } },
  refusals: ['PAYMENT_INTENT_NOT_FOUND'],
} as const satisfies RouteContract;

export const payPaymentIntent = {
  method: 'POST',
  path: '/terminal/v1/payment-intent/:id/payment',
  who: 'terminal',
  service: 'intents',
  lane: 'money',
  timeLimitMs: MONEY_MS,
  summary: 'Pay an intent with the card at the terminal',
  params,
  body: { json: intentPaymentBody },
  answers: {
    201: { means: 'Paid.', json: paidIntent },
    202: { means: 'The bank’s answer is not known yet; Location will show it.', json: intentOutcome },
  },
  refusals: [
    'PAYMENT_INTENT_NOT_FOUND',
    'SALESPERSON_NOT_FOUND',
    'CHARGE_DECLINED',
    'ATTEMPT_MISMATCH',
    'SALESPERSON_NOT_ACTIVE',
    'INTENT_NOT_PENDING',
    'INTENT_EXPIRED',
    'INTENT_IN_PROGRESS',
    'TOO_MANY_ATTEMPTS',
    'NOT_OFFERED_BY_ACQUIRER',
    'TERMS_NOT_AVAILABLE',
    'BANK_UNAVAILABLE',
  ],
} as const satisfies RouteContract;

export const declinePaymentIntent = {
  method: 'POST',
  path: '/terminal/v1/payment-intent/:id/decline',
  who: 'terminal',
  service: 'intents',
  lane: 'money',
  timeLimitMs: MONEY_MS,
  summary: 'Turn down an intent at the terminal',
  repeatable: true,
  params,
  body: { json: declineIntentBody },
  answers: { 200: { means: 'CANCELLED.', json: nothing } },
  refusals: ['PAYMENT_INTENT_NOT_FOUND', 'INTENT_NOT_PENDING', 'INTENT_IN_PROGRESS'],
} as const satisfies RouteContract;
