import { idParams } from '../ids.ts';
import { offsetListOf } from '../paging.ts';
import type { RouteContract } from '../route.ts';
import { branch, branchBody, branchChange, branchQuery } from '../salespeople.ts';
import { MONEY_MS, READ_MS } from './time-limits.ts';

const ofMerchant = { who: 'merchant', service: 'intents' } as const;
const reads = { ...ofMerchant, method: 'GET', people: 'read', lane: 'read', timeLimitMs: READ_MS } as const;
const writes = { ...ofMerchant, people: 'operate', lane: 'money', timeLimitMs: MONEY_MS } as const;
const params = idParams('id');
const shown = { means: 'The branch.', json: branch } as const;

export const createBranch = {
  ...writes,
  method: 'POST',
  path: '/business-store-branch',
  summary: 'Create a branch: a shop in which terminals stand and people sell',
  body: { json: branchBody },
  answers: { 201: { means: 'The branch, or the original one where the externalId was used before.', json: branch } },
  refusals: ['EXTERNAL_ID_MISMATCH'],
} as const satisfies RouteContract;

export const listBranches = {
  ...reads,
  path: '/business-store-branch',
  summary: 'List branches, newest first',
  query: branchQuery,
  answers: { 200: { means: 'A page of branches.', json: offsetListOf(branch) } },
  refusals: [],
} as const satisfies RouteContract;

export const getBranch = {
  ...reads,
  path: '/business-store-branch/:id',
  summary: 'Read a branch',
  params,
  answers: { 200: shown },
  refusals: ['BUSINESS_STORE_BRANCH_NOT_FOUND'],
} as const satisfies RouteContract;

export const changeBranch = {
  ...writes,
  method: 'PATCH',
  path: '/business-store-branch/:id',
  summary: 'Give a branch another name; payments made before keep theirs',
  repeatable: true,
  params,
  body: { json: branchChange },
  answers: { 200: shown },
  refusals: ['BUSINESS_STORE_BRANCH_NOT_FOUND'],
} as const satisfies RouteContract;
