import { developerListQuery } from '../developer-lists.ts';
import { idParams } from '../ids.ts';
import { cursorListOf, offsetListOf } from '../paging.ts';
import { partnerListOf } from '../partner-payments.ts';
import { emptyBody } from '../payments.ts';
import {
  partnerPromotion,
  partnerPromotionQuery,
  promotion,
  promotionBody,
  promotionQuery,
  promotionStatuses,
} from '../promotions.ts';
import type { RouteContract } from '../route.ts';
import { MONEY_MS, READ_MS } from './time-limits.ts';

const params = idParams('id');
const changing = { lane: 'money', timeLimitMs: MONEY_MS, service: 'payments', people: 'operate' } as const;
const reading = { lane: 'read', timeLimitMs: READ_MS, service: 'payments', people: 'read' } as const;

export const createPromotion = {
  ...changing,
  method: 'POST',
  path: '/promotion',
  who: 'merchant',
  summary: 'Create a promotion',
  body: { json: promotionBody },
  answers: {
    201: {
      means:
        'The promotion, or the original one where the externalId was used before. PENDING until its sponsor accepts.',
      json: promotion,
    },
  },
  refusals: ['PRODUCT_NOT_FOUND', 'EXTERNAL_ID_MISMATCH', 'PROMOTION_SPONSOR_MISSING', 'PROMOTION_LIMIT_REACHED'],
} as const satisfies RouteContract;

export const listPromotions = {
  ...reading,
  method: 'GET',
  path: '/promotion',
  who: 'merchant',
  summary: 'List promotions, newest first',
  query: promotionQuery,
  answers: { 200: { means: 'A page of promotions.', json: offsetListOf(promotion) } },
  refusals: [],
} as const satisfies RouteContract;

export const getPromotion = {
  ...reading,
  method: 'GET',
  path: '/promotion/:id',
  who: 'merchant',
  summary: 'Read a promotion',
  params,
  answers: { 200: { means: 'The promotion.', json: promotion } },
  refusals: ['PROMOTION_NOT_FOUND'],
} as const satisfies RouteContract;

export const listDeveloperPromotions = {
  ...reading,
  method: 'GET',
  path: '/developer/v1/promotion',
  who: 'merchant',
  summary: 'Walk the merchant’s promotions by cursor, newest first',
  query: developerListQuery(promotionStatuses),
  answers: { 200: { means: 'A page of promotions.', json: cursorListOf(promotion) } },
  refusals: ['INVALID_CURSOR'],
} as const satisfies RouteContract;

export const readDeveloperPromotion = {
  ...getPromotion,
  path: '/developer/v1/promotion/:id',
} as const satisfies RouteContract;

export const endPromotion = {
  ...changing,
  method: 'POST',
  path: '/promotion/:id/end',
  who: 'merchant',
  summary: 'End a promotion for good',
  repeatable: true,
  params,
  body: { json: emptyBody },
  answers: {
    200: { means: 'ENDED, also where it had ended before. No payment made from now on carries it.', json: promotion },
  },
  refusals: ['PROMOTION_NOT_FOUND'],
} as const satisfies RouteContract;

export const listPartnerPromotions = {
  ...reading,
  method: 'GET',
  path: '/developer/promotion',
  who: 'partner',
  summary: 'List the promotions that the sales partner sponsors, newest first',
  query: partnerPromotionQuery,
  answers: { 200: { means: 'A page of promotions.', json: partnerListOf(partnerPromotion) } },
  refusals: [],
} as const satisfies RouteContract;

export const readPartnerPromotion = {
  ...reading,
  method: 'GET',
  path: '/developer/promotion/:id',
  who: 'partner',
  summary: 'Read a promotion that the sales partner sponsors',
  params,
  answers: { 200: { means: 'The promotion.', json: partnerPromotion } },
  refusals: [],
} as const satisfies RouteContract;

export const acceptPromotion = {
  ...changing,
  method: 'POST',
  path: '/developer/promotion/:id/accept',
  who: 'partner',
  people: 'own',
  summary: 'Accept a promotion, whose fee discount the sales partner then bears',
  repeatable: true,
  params,
  body: { json: emptyBody },
  answers: { 200: { means: 'Accepted, also where it was accepted before.', json: partnerPromotion } },
  refusals: ['PROMOTION_ENDED'],
} as const satisfies RouteContract;

export const endPartnerPromotion = {
  ...changing,
  method: 'POST',
  path: '/developer/promotion/:id/end',
  who: 'partner',
  summary: 'End a promotion that the sales partner sponsors, for good',
  repeatable: true,
  params,
  body: { json: emptyBody },
  answers: { 200: { means: 'ENDED, also where it had ended before.', json: partnerPromotion } },
  refusals: [],
} as const satisfies RouteContract;
