import { expect, test } from '@jest/globals';
import { apiQueryOf } from './list-query.ts';

test.each<[object, object]>([
  [{ q: '150.00' }, { amountFrom: '150.00', amountTo: '150.00' }],
  [
    { amountFrom: '100', amountTo: '200' },
    { amountFrom: '100', amountTo: '200' },
  ],
  [
    { q: '150.00', amountFrom: '100', amountTo: '1000' },
    { amountFrom: '150.00', amountTo: '150.00' },
  ],
  [
    { q: '150.00', amountFrom: '1000' },
    { amountFrom: '1000', amountTo: '150.00' },
  ],
  [
    { q: '1000.00', amountTo: '99.5' },
    { amountFrom: '1000.00', amountTo: '99.5' },
  ],
  [
    { q: '150.00', amountFrom: 'abc' },
    { amountFrom: 'abc', amountTo: '150.00' },
  ],
  [
    { q: 'order-100', amountFrom: '100' },
    { externalId: 'order-100', amountFrom: '100' },
  ],
])('%j asks for the payments that every filter leaves', (filters, query) => {
  expect(apiQueryOf(filters)).toEqual({ kind: 'query', query });
});
