import { describe, expect, test } from '@jest/globals';
import { searchOf } from './search.rules.ts';

describe('the box of the list of payments', () => {
  test.each<[string, object]>([
    ['', { kind: 'none' }],
    ['4242', { kind: 'filter', filter: { lastFourDigits: '4242' } }],
    ['100001', { kind: 'filter', filter: { operationCode: '100001' } }],
    ['150.25', { kind: 'filter', filter: { amountFrom: '150.25', amountTo: '150.25' } }],
    ['$ 1,250.50', { kind: 'filter', filter: { amountFrom: '1250.50', amountTo: '1250.50' } }],
    ['ana@example.com', { kind: 'filter', filter: { email: 'ana@example.com' } }],
    ['order-100', { kind: 'filter', filter: { externalId: 'order-100' } }],
    ['019a0000-0000-7000-8000-000000000001', { kind: 'payment', id: '019a0000-0000-7000-8000-000000000001' }],
  ])('knows what %j is', (typed, search) => {
    expect(searchOf(typed)).toEqual(search);
  });
});
