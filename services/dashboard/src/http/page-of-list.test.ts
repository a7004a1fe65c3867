import type { Result } from '@cobro/client/refusal.ts';
import { expect, test } from '@jest/globals';
import { pageOf } from './page-of-list.ts';

type Answered = Result<{ count: number; items: string[] }>;
const done = (count: number): Answered => ({
  kind: 'done',
  status: 200,
  value: { count, items: ['a'] },
  replayed: false,
});
const refused = { kind: 'refused', refusal: { status: 400, code: 'VALIDATION_ERROR', message: '' } } as Answered;

test.each<[number, Answered, object | null]>([
  [1, done(51), { rows: ['a'], page: 1, hasMore: true, isCapped: false }],
  [2, done(100), { rows: ['a'], page: 2, hasMore: false, isCapped: false }],
  [199, done(10_000), { rows: ['a'], page: 199, hasMore: true, isCapped: false }],
  [200, done(10_000), { rows: ['a'], page: 200, hasMore: false, isCapped: true }],
  [201, refused, { rows: [], page: 201, hasMore: false, isCapped: false }],
  [200, refused, null],
  [201, { kind: 'lost', why: 'no answer in time' }, null],
])('page %i of a list that is counted to 10,000', (page, result, found) => {
  expect(pageOf(result, { page, pageSize: 50, counted: 10_000 })).toEqual(found);
});
