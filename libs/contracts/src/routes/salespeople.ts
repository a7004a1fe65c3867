import { developerListQuery } from '../developer-lists.ts';
import { idParams } from '../ids.ts';
import { cursorListOf, offsetListOf } from '../paging.ts';
import type { RouteContract } from '../route.ts';
import {
  salesperson,
  salespersonBody,
  salespersonChange,
  salespersonQuery,
  salespersonStatuses,
} from '../salespeople.ts';
import { MONEY_MS, READ_MS } from './time-limits.ts';

const ofMerchant = { who: 'merchant', service: 'intents' } as const;
const reads = { ...ofMerchant, method: 'GET', people: 'read', lane: 'read', timeLimitMs: READ_MS } as const;
const writes = { ...ofMerchant, people: 'operate', lane: 'money', timeLimitMs: MONEY_MS } as const;
const params = idParams('id');
const shown = { means: 'The salesperson.', json: salesperson } as const;

export const createSalesperson = {
  ...writes,
  method: 'POST',
  path: '/salesperson',
  summary: 'Create a salesperson, to whom payments are attributed',
  repeatable: true,
  body: { json: salespersonBody },
  answers: { 201: { means: 'The salesperson, also where the same request was sent before.', json: salesperson } },
  refusals: ['BUSINESS_STORE_BRANCH_NOT_FOUND', 'USERNAME_TAKEN'],
} as const satisfies RouteContract;

export const listSalespeople = {
  ...reads,
  path: '/salesperson',
  summary: 'List salespeople, newest first',
  query: salespersonQuery,
  answers: { 200: { means: 'A page of salespeople.', json: offsetListOf(salesperson) } },
  refusals: [],
} as const satisfies RouteContract;

export const getSalesperson = {
  ...reads,
  path: '/salesperson/:id',
  summary: 'Read a salesperson',
  params,
  answers: { 200: shown },
  refusals: ['SALESPERSON_NOT_FOUND'],
} as const satisfies RouteContract;

export const changeSalesperson = {
  ...writes,
  method: 'PATCH',
  path: '/salesperson/:id',
  summary: 'Change a salesperson; payments made before keep what they have',
  repeatable: true,
  params,
  body: { json: salespersonChange },
  answers: { 200: shown },
  refusals: ['SALESPERSON_NOT_FOUND', 'BUSINESS_STORE_BRANCH_NOT_FOUND'],
} as const satisfies RouteContract;

export const listDeveloperSalespeople = {
  ...reads,
  path: '/developer/v1/salesperson',
  summary: 'Walk the merchant’s salespeople by cursor, newest first',
  query: developerListQuery(salespersonStatuses),
  answers: { 200: { means: 'A page of salespeople.', json: cursorListOf(salesperson) } },
  refusals: ['INVALID_CURSOR'],
} as const satisfies RouteContract;

export const readDeveloperSalesperson = {
  ...getSalesperson,
  path: '/developer/v1/salesperson/:id',
} as const satisfies RouteContract;
