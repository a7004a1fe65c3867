import { idParams, uuid } from '../ids.ts';
import { cursorListOf, offsetListOf } from '../paging.ts';
import { emptyBody, payment } from '../payments.ts';
import type { RouteContract } from '../route.ts';
import {
  cancelSubscriptionBody,
  developerSubscriptionQuery,
  subscription,
  subscriptionBody,
  subscriptionChanges,
  subscriptionPeriod,
  subscriptionPeriodQuery,
  subscriptionQuery,
} from '../subscriptions.ts';
import { MONEY_MS, READ_MS } from './time-limits.ts';
import { z } from 'zod';

const params = idParams('id');
const changing = {
  who: 'merchant',
  people: 'operate',
  service: 'payments',
  lane: 'money',
  timeLimitMs: MONEY_MS,
} as const;
const reading = { who: 'merchant', people: 'read', service: 'payments', lane: 'read', timeLimitMs: READ_MS } as const;
const bankRefusals = [
  'PAYMENT_METHOD_NOT_ACTIVE',
  'FEE_CHANNEL_UNKNOWN',
  'NOT_OFFERED_BY_ACQUIRER',
  'BANK_UNAVAILABLE',
] as const;

export const createSubscription = {
  ...changing,
  method: 'POST',
  path: '/subscription',
  summary: 'Subscribe a saved card: charge it now, and once for each period to come',
  body: { json: subscriptionBody },
  answers: {
    201: {
      means: 'ACTIVE; the original subscription where the externalId was used before.',
      json: subscription,
    },
    202: {
      means: 'PENDING: the bank’s answer to the first charge is not known yet; Location will show it.',
      json: subscription,
    },
  },
  refusals: [
    'EXTERNAL_ID_MISMATCH',
    'CHARGE_IN_PROGRESS',
    'CHARGE_DECLINED',
    'PAYMENT_METHOD_NOT_FOUND',
    'PRODUCT_NOT_FOUND',
    'PRODUCT_NOT_ACTIVE',
    ...bankRefusals,
  ],
} as const satisfies RouteContract;

export const listSubscriptions = {
  ...reading,
  method: 'GET',
  path: '/subscription',
  summary: 'List subscriptions, newest first',
  query: subscriptionQuery,
  answers: {
    200: {
      means:
        'A page of subscriptions. With status or paymentMethodId `count` goes to 10,000; `X-Count-Capped: true` says that there are more.',
      json: offsetListOf(subscription),
    },
  },
  refusals: [],
} as const satisfies RouteContract;

export const getSubscription = {
  ...reading,
  method: 'GET',
  path: '/subscription/:id',
  summary: 'Read a subscription',
  params,
  answers: { 200: { means: 'The subscription.', json: subscription } },
  refusals: ['SUBSCRIPTION_NOT_FOUND'],
} as const satisfies RouteContract;

export const listDeveloperSubscriptions = {
  ...reading,
  method: 'GET',
  path: '/developer/v1/subscription',
  summary: 'Walk the merchant’s subscriptions by cursor, newest first',
  query: developerSubscriptionQuery,
  answers: { 200: { means: 'A page of subscriptions.', json: cursorListOf(subscription) } },
  refusals: ['INVALID_CURSOR'],
} as const satisfies RouteContract;

export const readDeveloperSubscription = {
  ...getSubscription,
  path: '/developer/v1/subscription/:id',
} as const satisfies RouteContract;

export const changeSubscription = {
  ...changing,
  method: 'PATCH',
  path: '/subscription/:id',
  summary: 'Change a subscription’s card, amount or description',
  repeatable: true,
  params,
  body: { json: subscriptionChanges },
  answers: {
    200: {
      means:
        'The subscription as it is now. An amount counts from the next period that was not tried yet; a new card while PAST_DUE is charged within seconds.',
      json: subscription,
    },
  },
  refusals: ['SUBSCRIPTION_NOT_FOUND', 'SUBSCRIPTION_ENDED', 'PAYMENT_METHOD_NOT_FOUND', 'PAYMENT_METHOD_NOT_ACTIVE'],
} as const satisfies RouteContract;

export const cancelSubscription = {
  ...changing,
  method: 'POST',
  path: '/subscription/:id/cancel',
  summary: 'Cancel a subscription, now or at the end of its period',
  repeatable: true,
  params,
  body: { json: cancelSubscriptionBody },
  answers: {
    200: {
      means:
        'CANCELLED, also where it was before; with atPeriodEnd, to be cancelled by the clock. No charge begins after it.',
      json: subscription,
    },
  },
  refusals: ['SUBSCRIPTION_NOT_FOUND', 'SUBSCRIPTION_ENDED'],
} as const satisfies RouteContract;

export const pauseSubscription = {
  ...changing,
  method: 'POST',
  path: '/subscription/:id/pause',
  summary: 'Pause a subscription: periods that begin meanwhile are skipped',
  repeatable: true,
  params,
  body: { json: emptyBody },
  answers: { 200: { means: 'PAUSED, also where it was before.', json: subscription } },
  refusals: ['SUBSCRIPTION_NOT_FOUND', 'SUBSCRIPTION_ENDED', 'CHARGE_IN_PROGRESS'],
} as const satisfies RouteContract;

export const resumeSubscription = {
  ...changing,
  method: 'POST',
  path: '/subscription/:id/resume',
  summary: 'Resume a subscription, or take back that it ends with its period; charges nothing new',
  repeatable: true,
  params,
  body: { json: emptyBody },
  answers: { 200: { means: 'As it was before it was paused; the next period is charged again.', json: subscription } },
  refusals: ['SUBSCRIPTION_NOT_FOUND', 'SUBSCRIPTION_ENDED'],
} as const satisfies RouteContract;

export const listSubscriptionPeriods = {
  ...reading,
  method: 'GET',
  path: '/subscription/:id/period',
  summary: 'List the periods of a subscription up to now, newest first',
  params,
  query: subscriptionPeriodQuery,
  answers: { 200: { means: 'A page of periods.', json: offsetListOf(subscriptionPeriod) } },
  refusals: ['SUBSCRIPTION_NOT_FOUND'],
} as const satisfies RouteContract;

export const chargeSubscriptionPeriod = {
  ...changing,
  method: 'POST',
  path: '/subscription/:id/period/:number/charge',
  summary: 'Collect a period by hand that is open, failed or was skipped',
  params: z.object({
    id: uuid,
    number: z
      .string()
      .regex(/^[1-9]\d{0,2}$/, { error: 'must be a whole number, at least 1' })
      .transform(Number),
  }),
  body: { json: emptyBody },
  answers: {
    201: { means: 'CONFIRMED; the payment of the period where it was paid before.', json: payment },
    202: { means: 'PENDING: the bank’s answer is not known yet; Location will show it.', json: payment },
  },
  refusals: [
    'SUBSCRIPTION_NOT_FOUND',
    'SUBSCRIPTION_ENDED',
    'SUBSCRIPTION_PERIOD_NOT_DUE',
    'CHARGE_IN_PROGRESS',
    'TOO_MANY_ATTEMPTS',
    'CHARGE_DECLINED',
    ...bankRefusals,
  ],
} as const satisfies RouteContract;
