import { developerListQuery } from '../developer-lists.ts';
import { idParams } from '../ids.ts';
import { cursorListOf, offsetListOf } from '../paging.ts';
import { product, productBody, productChanges, productQuery, productStatuses, stockChangeBody } from '../products.ts';
import type { RouteContract } from '../route.ts';
import { MONEY_MS, READ_MS } from './time-limits.ts';

const params = idParams('id');

export const createProduct = {
  method: 'POST',
  path: '/product',
  who: 'merchant',
  people: 'operate',
  service: 'payments',
  lane: 'money',
  timeLimitMs: MONEY_MS,
  summary: 'Create a product',
  body: { json: productBody },
  answers: {
    201: { means: 'The product, or the original one where the externalId was used before.', json: product },
  },
  refusals: ['EXTERNAL_ID_MISMATCH'],
} as const satisfies RouteContract;

export const listProducts = {
  method: 'GET',
  path: '/product',
  who: 'merchant',
  people: 'read',
  service: 'payments',
  lane: 'read',
  timeLimitMs: READ_MS,
  summary: 'List products, newest first',
  query: productQuery,
  answers: { 200: { means: 'A page of products.', json: offsetListOf(product) } },
  refusals: [],
} as const satisfies RouteContract;

export const getProduct = {
  method: 'GET',
  path: '/product/:id',
  who: 'merchant',
  people: 'read',
  service: 'payments',
  lane: 'read',
  timeLimitMs: READ_MS,
  summary: 'Read a product',
  params,
  answers: { 200: { means: 'The product.', json: product } },
  refusals: ['PRODUCT_NOT_FOUND'],
} as const satisfies RouteContract;

export const changeProduct = {
  method: 'PATCH',
  path: '/product/:id',
  who: 'merchant',
  people: 'operate',
  service: 'payments',
  lane: 'money',
  timeLimitMs: MONEY_MS,
  summary: 'Change a product, archive it, or bring it back',
  repeatable: true,
  params,
  body: { json: productChanges },
  answers: { 200: { means: 'The product as it is now. A price counts from the next payment on.', json: product } },
  refusals: ['PRODUCT_NOT_FOUND'],
} as const satisfies RouteContract;

export const changeStock = {
  method: 'POST',
  path: '/product/:id/stock',
  who: 'merchant',
  people: 'operate',
  service: 'payments',
  lane: 'money',
  timeLimitMs: MONEY_MS,
  summary: 'Add units to a product’s stock, or take some away',
  params,
  body: { json: stockChangeBody },
  answers: {
    201: {
      means: 'The product with its stock as it is now; nothing more was changed where the externalId was used before.',
      json: product,
    },
  },
  refusals: ['PRODUCT_NOT_FOUND', 'EXTERNAL_ID_MISMATCH', 'STOCK_NOT_COUNTED', 'STOCK_INSUFFICIENT'],
} as const satisfies RouteContract;

export const listDeveloperProducts = {
  method: 'GET',
  path: '/developer/v1/product',
  who: 'merchant',
  people: 'read',
  service: 'payments',
  lane: 'read',
  timeLimitMs: READ_MS,
  summary: 'Walk the merchant’s products by cursor, newest first',
  query: developerListQuery(productStatuses),
  answers: { 200: { means: 'A page of products.', json: cursorListOf(product) } },
  refusals: ['INVALID_CURSOR'],
} as const satisfies RouteContract;

export const readDeveloperProduct = {
  ...getProduct,
  path: '/developer/v1/product/:id',
} as const satisfies RouteContract;
