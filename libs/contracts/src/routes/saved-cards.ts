import { z } from 'zod';
import { developerListQuery } from '../developer-lists.ts';
import { idParams } from '../ids.ts';
import { cursorListOf, offsetListOf } from '../paging.ts';
import { paymentMethod, paymentMethodQuery, paymentMethodStatuses, savePaymentMethodBody } from '../payment-methods.ts';
import type { RouteContract } from '../route.ts';
import { MONEY_MS, READ_MS } from './time-limits.ts';

export const savePaymentMethod = {
  method: 'POST',
  path: '/payment-method',
  who: 'merchant',
  service: 'payments',
  lane: 'money',
  timeLimitMs: MONEY_MS,
  summary: 'Save a card at the bank’s vault',
  body: { json: savePaymentMethodBody },
  answers: {
    201: { means: 'The card is saved, or was saved before under this externalId.', json: paymentMethod },
    202: { means: 'The bank’s answer is not known yet; Location will show it.', json: paymentMethod },
  },
  refusals: ['CARD_DECLINED', 'EXTERNAL_ID_MISMATCH', 'SAVE_IN_PROGRESS', 'TOO_MANY_ATTEMPTS', 'BANK_UNAVAILABLE'],
} as const satisfies RouteContract;

export const listPaymentMethods = {
  method: 'GET',
  path: '/payment-method',
  who: 'merchant',
  people: 'read',
  service: 'payments',
  lane: 'read',
  timeLimitMs: READ_MS,
  summary: 'List saved cards, newest first',
  query: paymentMethodQuery,
  answers: { 200: { means: 'A page of saved cards.', json: offsetListOf(paymentMethod) } },
  refusals: [],
} as const satisfies RouteContract;

export const getPaymentMethod = {
  method: 'GET',
  path: '/payment-method/:id',
  who: 'merchant',
  people: 'read',
  service: 'payments',
  lane: 'read',
  timeLimitMs: READ_MS,
  summary: 'Read a saved card',
  params: idParams('id'),
  answers: { 200: { means: 'The saved card.', json: paymentMethod } },
  refusals: ['PAYMENT_METHOD_NOT_FOUND'],
} as const satisfies RouteContract;

export const listDeveloperPaymentMethods = {
  method: 'GET',
  path: '/developer/v1/payment-method',
  who: 'merchant',
  people: 'read',
  service: 'payments',
  lane: 'read',
  timeLimitMs: READ_MS,
  summary: 'Walk the merchant’s saved cards by cursor, newest first',
  query: developerListQuery(paymentMethodStatuses),
  answers: { 200: { means: 'A page of saved cards.', json: cursorListOf(paymentMethod) } },
  refusals: ['INVALID_CURSOR'],
} as const satisfies RouteContract;

export const readDeveloperPaymentMethod = {
  ...getPaymentMethod,
  path: '/developer/v1/payment-method/:id',
} as const satisfies RouteContract;

export const revokePaymentMethod = {
  method: 'DELETE',
  path: '/payment-method/:id',
  who: 'merchant',
  service: 'payments',
  lane: 'money',
  timeLimitMs: MONEY_MS,
  summary: 'Revoke a saved card',
  repeatable: true,
  params: idParams('id'),
  answers: {
    200: {
      means: 'It can no longer be charged; also where it was revoked before.',
      json: z.strictObject({ success: z.boolean() }),
    },
  },
  refusals: ['PAYMENT_METHOD_NOT_FOUND'],
} as const satisfies RouteContract;
